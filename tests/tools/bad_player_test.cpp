#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <tools/match/make_player.hpp>
#include <tools/match/referee.hpp>

#include "scripted_player.hpp"
#include "test_programs.hpp"

using namespace defiance;

namespace {

/// How a game against a bad player is refereed: four plies, unless something happens.
struct Setting {
    OutputPolicy policy = {};
    double move_time = patience;
    std::string fen = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
};

/// Black is played by the program with this script, white by moves in this process that take
/// nothing.
GameRecord play(const std::string& script, const Setting& setting = {}) {
    PlayerSpec spec;
    spec.kind = PlayerSpec::Kind::middleware;
    spec.target = '"' + program_of_build("bad_player") + "\" " + script;
    const std::atomic<bool> is_abandoned = false;
    const auto player =
        make_player(spec, rules_of<English>, {LoaderPrograms{}, setting.policy, {}, is_abandoned});
    REQUIRE(player);
    CbGame game = game_from(setting.fen);
    const auto problem = (*player)->begin_game(game);
    INFO((problem ? problem->text : ""));
    REQUIRE_FALSE(problem);
    ScriptedPlayer white(quiet_turns({"21 17", "25 21"}));
    TimeSettings time;
    time.kind = TimeSettings::Kind::unlimited;
    time.move_limit = setting.move_time;
    time.startup = 0;
    Adjudication rules;
    rules.max_plies = 4;
    const GameRecord record = referee_game(game, {**player}, {white}, time, rules);
    (*player)->end_game();
    return record;
}

/// A game that the bad player loses by this rule after so many plies. Returns what is said of it.
std::string losing_detail(const std::string& script, Ending ending, std::size_t plies,
                          const Setting& setting = {}) {
    INFO(script);
    const GameRecord record = play(script, setting);
    check_loss(record, ending, plies);
    return record.detail;
}

bool plays_on(const std::string& script, const Setting& setting = {}) {
    INFO(script);
    const GameRecord record = play(script, setting);
    INFO(record.detail);
    CHECK(code_of(record.ending) == code_of(Ending::too_long));
    return record.plies == 4;
}

#ifdef __linux__
/// Of this process.
std::uint64_t resident_mebibytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    file >> size >> resident;
    return resident * 4096 >> 20;
}
#endif

}  // namespace

TEST_CASE("a program that plays is not at fault", "[tools][match][process]") {
    CHECK(plays_on("\"12 16\" \"8 12\""));
    CHECK(plays_on("@crlf \" 012\t16 \" \"8 12\""));
    CHECK(plays_on("@slow \"12 16\" \"8 12\""));
    // What it wrote before its end counts.
    CHECK(plays_on("@unread \"12 16\" \"8 12\"", {OutputPolicy{.is_strict = false}}));
}

TEST_CASE("a program that does not answer in time loses", "[tools][match][process]") {
    Setting hasty;
    hasty.move_time = 0.2;
    CHECK(losing_detail("@silent", Ending::too_late, 0, hasty) == "no answer");
    // An answer that comes before the referee looks again is too late all the same.
    losing_detail("@slow \"12 16\"", Ending::too_late, 0, hasty);
}

TEST_CASE("a program that ends loses", "[tools][match][process]") {
    losing_detail("@exit", Ending::gone, 0);
    losing_detail("\"12 16\" @exit", Ending::gone, 2);
    losing_detail("\"12 16\" @crash", Ending::gone, 2);
}

TEST_CASE("a program that answers with no legal move loses", "[tools][match][process]") {
    CHECK(losing_detail("\"12 17\"", Ending::illegal_move, 0).find("'12 17'") != std::string::npos);
    CHECK(losing_detail("\"12 16\" \"Give up!\"", Ending::illegal_move, 2).find("'Give up!'") !=
          std::string::npos);
    losing_detail("@noise", Ending::illegal_move, 0);
    // A quiet move where it must take.
    losing_detail("@read \"1 5\"", Ending::illegal_move, 0, {.fen = "B:W15:B1,11"});
}

TEST_CASE("an empty line is no move, if it is not tolerated", "[tools][match][process]") {
    losing_detail("@blank \"12 16\"", Ending::illegal_move, 0);
    CHECK(plays_on("@blank \"12 16\" @blank @blank \"8 12\"",
                   {OutputPolicy{.tolerates_blank = true}}));
}

TEST_CASE("a jump names all its squares, or what can be meant", "[tools][match][process]") {
    const std::string fen = "B:W15,23:B11";
    const OutputPolicy may_be_short{.takes_short = true};
    losing_detail("@read \"11 18\"", Ending::illegal_move, 0, {.fen = fen});
    losing_detail("@read \"11 27\"", Ending::illegal_move, 0, {.fen = fen});
    CHECK(play("@read \"11 18 27\"", {.fen = fen}).ending == Ending::no_move);
    CHECK(play("@read \"11 27\"", {may_be_short, patience, fen}).ending == Ending::no_move);
    losing_detail("@read \"11 18\"", Ending::illegal_move, 0, {may_be_short, patience, fen});
    losing_detail("@read \"2 18\"", Ending::illegal_move, 0,
                  {may_be_short, patience, "B:W6,7,14,15:B2"});
}

TEST_CASE("a line too many loses, or is the next move", "[tools][match][process]") {
    const OutputPolicy lenient{.is_strict = false};
    CHECK(losing_detail("\"12 16|hello\"", Ending::unasked_output, 2).find("'hello") !=
          std::string::npos);
    losing_detail("\"12 16|8 12\"", Ending::unasked_output, 2);
    CHECK(plays_on("\"12 16|8 12\"", {lenient}));
    losing_detail("\"12 16|hello\"", Ending::illegal_move, 2, {lenient});
}

TEST_CASE("a line without end is not waited for and not kept", "[tools][match][process]") {
#ifdef __linux__
    const std::uint64_t before = resident_mebibytes();
#endif
    const Stopwatch stopwatch;
    losing_detail("@long", Ending::illegal_move, 0);
    CHECK(stopwatch.seconds() < patience / 2);
#ifdef __linux__
    CHECK(resident_mebibytes() < before + 128);
#endif
}

TEST_CASE("a move has 256 bytes at most, its line end left aside", "[tools][match][process]") {
    const auto padded = [](std::size_t size) {
        const std::string move = "12 16";
        return '"' + move + std::string(size - move.size(), ' ') + "\" ";
    };
    for (const std::string end : {"", "@crlf "}) {
        CHECK(plays_on(end + padded(256) + "\"8 12\""));
        CHECK(losing_detail(end + padded(257), Ending::illegal_move, 0) ==
              "a line of more than 256 bytes");
    }
}

TEST_CASE("the last line of a program may lack its end", "[tools][match][process]") {
    CHECK(plays_on("\"12 16\" @last \"8 12\""));
    losing_detail("@last \"12 16\"", Ending::gone, 2);
    losing_detail("@last \"12 17\"", Ending::illegal_move, 0);
    losing_detail("@last \"Give up!\"", Ending::illegal_move, 0);
    CHECK(losing_detail("@last \"" + std::string(257, '1') + '"', Ending::illegal_move, 0) ==
          "a line of more than 256 bytes");
    // One too many is unasked as others are.
    losing_detail("@last \"12 16|8 12\"", Ending::unasked_output, 2);
    CHECK(plays_on("@last \"12 16|8 12\"", {OutputPolicy{.is_strict = false}}));
    // White space is an empty line.
    losing_detail("@last \" \"", Ending::illegal_move, 0);
    losing_detail("@last \" \"", Ending::gone, 0, {OutputPolicy{.tolerates_blank = true}});
}

TEST_CASE("half a line before a crash is no move", "[tools][match][process]") {
    for (const std::string end : {" @crash", " @fail"}) {
        // Half of "12 16", a whole move, one after another move, and no move.
        losing_detail("@last \"12 1\"" + end, Ending::gone, 0);
        losing_detail("@last \"12 16\"" + end, Ending::gone, 0);
        losing_detail("\"12 16\" @last \"8 12\"" + end, Ending::gone, 2);
        losing_detail("@last \" \"" + end, Ending::gone, 0);
        // The lines before it count.
        losing_detail("@last \"12 17|8 1\"" + end, Ending::illegal_move, 0);
    }
    // Nor is it one while the program still runs.
    Setting hasty;
    hasty.move_time = 0.2;
    losing_detail("@last \"12 16\" @silent", Ending::too_late, 0, hasty);
}

TEST_CASE("a program that leaves another with its pipe has gone", "[tools][match][process]") {
    const ScratchPath file(".alive");
    const Stopwatch stopwatch;
    losing_detail("@leave \"" + file.text() + '"', Ending::gone, 0);
    CHECK(stopwatch.seconds() < patience / 2);
    const auto size = std::filesystem::file_size(file.text());
    sleep_milliseconds(300);
    CHECK(std::filesystem::file_size(file.text()) == size);
}

TEST_CASE("a program that holds too much memory loses", "[tools][match][process]") {
    const OutputPolicy limited{.memory = std::uint64_t{150} << 20};
    CHECK(plays_on("\"12 16\" \"8 12\"", {limited}));
    const GameRecord record = play("\"12 16\" @memory \"8 12\"", {limited});
    CHECK(code_of(record.ending) == code_of(Ending::too_large));
    CHECK(result_of(record) == "0-1");
}

TEST_CASE("the same player object begins game after game", "[tools][match][process]") {
    PlayerSpec spec;
    spec.kind = PlayerSpec::Kind::middleware;
    spec.target = '"' + program_of_build("bad_player") + "\" \"12 16\" @crash";
    const std::atomic<bool> is_abandoned = false;
    const auto player =
        make_player(spec, rules_of<English>, {LoaderPrograms{}, OutputPolicy{}, {}, is_abandoned});
    REQUIRE(player);
    for (int i = 0; i < 2; ++i) {
        CbGame game = game_from_start();
        REQUIRE_FALSE((*player)->begin_game(game));
        CHECK_FALSE((*player)->take_turn(game, Allowance{.limit = patience}).fault);
        REQUIRE(game.play_middleware_text("21 17"));
        CHECK((*player)->take_turn(game, Allowance{.limit = patience}).fault == Ending::gone);
        (*player)->end_game();
    }
}

TEST_CASE("waiting for a program ends when the match does", "[tools][match][process]") {
    PlayerSpec spec;
    spec.kind = PlayerSpec::Kind::middleware;
    spec.target = '"' + program_of_build("bad_player") + "\" @silent";
    const std::atomic<bool> is_abandoned = true;
    const auto player =
        make_player(spec, rules_of<English>, {LoaderPrograms{}, OutputPolicy{}, {}, is_abandoned});
    REQUIRE(player);
    CbGame game = game_from_start();
    REQUIRE_FALSE((*player)->begin_game(game));
    CHECK((*player)->take_turn(game, Allowance{.limit = patience}).fault == Ending::aborted);
}

TEST_CASE("a program that is not there cannot begin a game", "[tools][match][process]") {
    PlayerSpec spec;
    spec.kind = PlayerSpec::Kind::middleware;
    spec.target = "/absent/program_of_nobody";
    const std::atomic<bool> is_abandoned = false;
    const auto player =
        make_player(spec, rules_of<English>, {LoaderPrograms{}, OutputPolicy{}, {}, is_abandoned});
    REQUIRE(player);
    const auto problem = (*player)->begin_game(game_from_start());
    REQUIRE(problem);
    CHECK(problem->text.find("program_of_nobody") != std::string::npos);
}
