#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <string>

#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <tools/match/make_player.hpp>
#include <tools/match/referee.hpp>

#include "scripted_player.hpp"
#include "test_programs.hpp"

using namespace defiance;

namespace {

const std::string hub_introduction =
    "\"id name=Test version=2|param name=variant value=english type=enum values=english|wait\" "
    "ready ";

/// Answers one move: the position and the level need no answer.
std::string one_move(const std::string& done) {
    return "@read @read \"" + done + "\" ";
}

/// A player that the program with this script is.
class HubFixture {
public:
    using HubParameters = std::vector<std::pair<std::string, std::string>>;

    explicit HubFixture(const std::string& script, const OutputPolicy& policy = {},
                        const GameRules& rules = rules_of<English>,
                        const HubParameters& parameters = {}, std::int64_t depth = 0)
        : policy_(policy) {
        PlayerSpec spec;
        spec.kind = PlayerSpec::Kind::hub;
        spec.target = '"' + program_of_build("bad_player") + "\" " + script;
        spec.parameters = parameters;
        spec.depth = depth;
        const LineSink sink = [this](std::string_view line) {
            printed += std::string(line) + '\n';
        };
        auto made = make_player(spec, rules, {LoaderPrograms{}, policy_, sink, is_abandoned});
        REQUIRE(made);
        player_ = *std::move(made);
    }

    Player& operator*() { return *player_; }
    Player* operator->() { return player_.get(); }

    std::atomic<bool> is_abandoned = false;
    std::string printed;

private:
    OutputPolicy policy_;
    std::unique_ptr<Player> player_;
};

TimeSettings hub_time(double move_time = patience) {
    TimeSettings time;
    time.kind = TimeSettings::Kind::unlimited;
    time.move_limit = move_time;
    time.startup = 0;
    return time;
}

/// Black is played by the program, white by moves that take nothing; at most four plies.
GameRecord play_hub(HubFixture& player, const TimeSettings& time = hub_time()) {
    CbGame game = game_from_start();
    const auto problem = player->begin_game(game);
    INFO((problem ? problem->text : ""));
    REQUIRE_FALSE(problem);
    ScriptedPlayer white(quiet_turns({"21 17", "25 21"}));
    Adjudication rules;
    rules.max_plies = 4;
    return referee_game(game, {*player}, {white}, time, rules);
}

/// A game that the program loses by this rule after so many plies. Returns what is said of it.
std::string losing_hub_detail(const std::string& script, Ending ending, std::size_t plies,
                              const OutputPolicy& policy = {}, double move_time = patience) {
    INFO(script);
    HubFixture player(hub_introduction + script, policy);
    const GameRecord record = play_hub(player, hub_time(move_time));
    check_loss(record, ending, plies);
    return record.detail;
}

std::string start_problem(const std::string& script, const OutputPolicy& policy = {},
                          const GameRules& rules = rules_of<English>,
                          const HubFixture::HubParameters& parameters = {}) {
    INFO(script);
    HubFixture player(script, policy, rules, parameters);
    const auto problem = player->begin_game(CbGame(rules));
    REQUIRE(problem);
    return problem->text;
}

bool mentions(const std::string& text, std::string_view part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a program of the Hub protocol plays", "[tools][hub][process]") {
    HubFixture player(
        hub_introduction +
        one_move("info depth=7 score=-0.25 nodes=10 nps=1.5|info depth=8 score=0.5 nps=2|"
                 "done move=12-16 ponder=21-17") +
        one_move("info depth=9 nps=900000|done move=8-12"));
    CbGame game = game_from_start();
    REQUIRE_FALSE(player->begin_game(game));
    CHECK(player->own_name() == "Test 2");
    const Turn turn = player->take_turn(game, Allowance{.limit = patience});
    CHECK_FALSE(turn.fault);
    CHECK(turn.status == "depth 8 value=50 speed 2.000 Mn/s");
    CHECK(game.texts() == std::vector<std::string>{"12-16"});
    REQUIRE(game.play_middleware_text("21 17"));
    // Millions of nodes a second are meant, so this is none.
    const Turn next = player->take_turn(game, Allowance{.limit = patience});
    CHECK_FALSE(next.fault);
    CHECK(next.status == "depth 9");
    CHECK(game.plies() == 3);
}

TEST_CASE("a program of the Hub protocol is told all it needs", "[tools][hub][process]") {
    const ScratchPath log(".hub");
    {
        HubFixture player(
            "@log \"" + log.text() +
                "\" \"param name=variant value=normal type=enum values=english|param name=book|"
                "param name=path|wait\" @read "
                "@read @read ready " +
                one_move("done move=1-6") + one_move("done move=6-1") + "@read pong",
            {}, rules_of<English>, {{"book", "false"}, {"path", "a b"}}, 6);
        const auto position = read_position(rules_of<English>, "B:WK32:BK1");
        REQUIRE(position);
        CbGame game(rules_of<English>, *position);
        REQUIRE_FALSE(player->begin_game(game));
        Allowance allowance{.seconds = 1.5, .limit = patience};
        allowance.kind = TimeSettings::Kind::average;
        REQUIRE_FALSE(player->take_turn(game, allowance).fault);
        REQUIRE(game.play_middleware_text("32 27"));
        allowance.kind = TimeSettings::Kind::increment;
        allowance.remaining = 10.25;
        allowance.increment = 0.5;
        REQUIRE_FALSE(player->take_turn(game, allowance).fault);
        REQUIRE_FALSE(player->begin_game(game));
    }
    const std::string kings = "pos pos=BB" + std::string(30, 'e') + 'W';
    const auto text = read_file(log.text());
    REQUIRE(text);
    CHECK(*text ==
          "hub\nset-param name=variant value=english\nset-param name=book value=false\n"
          "set-param name=path value=\"a b\"\ninit\n" +
              kings + "\nlevel depth=6 move-time=1.500\ngo think\n" + kings +
              " moves=\"1-6 32-27\"\nlevel depth=6 time=9.750 inc=0.500\ngo think\n"
              "new-game\nping\nquit\n");
}

TEST_CASE("a program of the Hub protocol that misbehaves loses", "[tools][hub][process]") {
    CHECK(mentions(losing_hub_detail(one_move("done move=12-17"), Ending::illegal_move, 0),
                   "'12-17'"));
    losing_hub_detail(one_move("done"), Ending::illegal_move, 0);
    losing_hub_detail(one_move("done move=12x16"), Ending::illegal_move, 0);
    losing_hub_detail(one_move("done move=12-16") + one_move("done move=12-16"),
                      Ending::illegal_move, 2);
    losing_hub_detail("@long", Ending::illegal_move, 0);
    losing_hub_detail("@read @exit", Ending::gone, 0);
    losing_hub_detail(one_move("done move=12-16") + "@crash", Ending::gone, 2);
    CHECK(losing_hub_detail("@silent", Ending::too_late, 0, {}, 0.2) == "no answer");
    losing_hub_detail(one_move("hello world|done move"), Ending::illegal_move, 0);
    losing_hub_detail("@noise @noise @noise", Ending::too_late, 0, {}, 0.2);
}

TEST_CASE("a move too many of the Hub protocol loses, or is ignored", "[tools][hub][process]") {
    const std::string twice = one_move("done move=12-16|done move=8-12");
    CHECK(mentions(losing_hub_detail(twice, Ending::unasked_output, 2), "not asked"));
    HubFixture player(hub_introduction + twice + one_move("done move=11-15"), {.is_strict = false});
    CHECK(code_of(play_hub(player).ending) == code_of(Ending::too_long));
    // Anything else may be written at any time.
    HubFixture chatty(hub_introduction + one_move("done move=12-16|info depth=1|hello|=") +
                      one_move("done move=8-12"));
    CHECK(code_of(play_hub(chatty).ending) == code_of(Ending::too_long));
}

TEST_CASE("the last line of a program of the Hub protocol may lack its end",
          "[tools][hub][process]") {
    HubFixture player(hub_introduction + one_move("done move=12-16") +
                      "@read @read @last \"done move=8-12\"");
    CHECK(code_of(play_hub(player).ending) == code_of(Ending::too_long));
    losing_hub_detail("@read @read @last \"done move=12-16\"", Ending::gone, 2);
    losing_hub_detail("@read @read @last \"done move=12-17\"", Ending::illegal_move, 0);
    losing_hub_detail("@read @read @last \"info depth=1\"", Ending::gone, 0);
    // One that a crash has broken off does not count.
    for (const std::string end : {" @crash", " @fail"}) {
        losing_hub_detail("@read @read @last \"done move=12-1\"" + end, Ending::gone, 0);
        losing_hub_detail("@read @read @last \"done move=12-16\"" + end, Ending::gone, 0);
    }
    // A move too many is no answer to what is asked next.
    const std::string twice = "@read @read @last \"done move=12-16|done move=8-12\"";
    CHECK(mentions(losing_hub_detail(twice, Ending::unasked_output, 2), "not asked"));
    losing_hub_detail(twice, Ending::gone, 2, {.is_strict = false});
}

TEST_CASE("a program of the Hub protocol is told to stop", "[tools][hub][process]") {
    const ScratchPath log(".hub");
    {
        HubFixture player("@log \"" + log.text() + "\" wait ready @read @read @read " +
                          "\"done move=12-16\"");
        CbGame game = game_from_start();
        REQUIRE_FALSE(player->begin_game(game));
        const Allowance allowance{.limit = patience + 0.1, .margin = patience};
        CHECK_FALSE(player->take_turn(game, allowance).fault);
    }
    const auto text = read_file(log.text());
    REQUIRE(text);
    CHECK(mentions(*text, "level infinite\ngo think\nstop\n"));
}

TEST_CASE("a program of the Hub protocol is told when more time comes", "[tools][hub][process]") {
    const ScratchPath log(".hub");
    {
        HubFixture player("@log \"" + log.text() + "\" wait ready " + one_move("done move=12-16"));
        CbGame game = game_from_start();
        REQUIRE_FALSE(player->begin_game(game));
        Allowance allowance{.limit = patience};
        allowance.kind = TimeSettings::Kind::increment;
        allowance.remaining = 20;
        allowance.moves_left = 7;
        CHECK_FALSE(player->take_turn(game, allowance).fault);
    }
    const auto text = read_file(log.text());
    REQUIRE(text);
    CHECK(mentions(*text, "level moves=7 time=20.000\ngo think\n"));
}

TEST_CASE("a program of the Hub protocol that lost is started anew", "[tools][hub][process]") {
    HubFixture player(hub_introduction + one_move("done move=12-16") + "@crash");
    for (int i = 0; i < 2; ++i) {
        const GameRecord record = play_hub(player);
        CHECK(code_of(record.ending) == code_of(Ending::gone));
        CHECK(record.plies == 2);
    }
    // One that ends between two games likewise.
    HubFixture ending(hub_introduction + "@read @read @unread \"done move=12-16\"");
    for (int i = 0; i < 2; ++i) {
        CbGame game = game_from_start();
        REQUIRE_FALSE(ending->begin_game(game));
        CHECK_FALSE(ending->take_turn(game, Allowance{.limit = patience}).fault);
        ending->end_game();
    }
}

TEST_CASE("a program of the Hub protocol that hangs is not waited for as long as one that starts",
          "[tools][hub][process]") {
    const OutputPolicy patient{.startup = patience};
    HubFixture player(hub_introduction + one_move("done move=12-16") + "@silent", patient);
    CbGame game = game_from_start();
    REQUIRE_FALSE(player->begin_game(game));
    REQUIRE_FALSE(player->take_turn(game, Allowance{.limit = patience}).fault);
    const Stopwatch stopwatch;
    CHECK_FALSE(player->begin_game(game));
    CHECK(stopwatch.seconds() < patience);
}

TEST_CASE("a program that does not introduce itself cannot begin", "[tools][hub][process]") {
    const OutputPolicy hasty{.startup = 0.2};
    CHECK(mentions(start_problem("@silent", hasty), "not answered 'wait' within"));
    // Under Wine on a busy machine a program takes longer than that to start.
    const OutputPolicy patient{.startup = 5};
    CHECK(mentions(start_problem("wait @silent", patient), "not answered 'ready' within"));
    CHECK(mentions(start_problem("@exit"), "before 'wait'"));
    CHECK(mentions(start_problem("wait @crash"), "before 'ready'"));
    CHECK(mentions(start_problem("@long"), "bytes instead of 'wait'"));
    CHECK(mentions(start_problem(hub_introduction, {}, rules_of<Czech>),
                   "does not play czech, but english"));
    PlayerSpec spec;
    spec.kind = PlayerSpec::Kind::hub;
    spec.target = "/absent/program_of_nobody";
    const std::atomic<bool> is_abandoned = false;
    const OutputPolicy policy;
    const auto player =
        make_player(spec, rules_of<English>, {LoaderPrograms{}, policy, {}, is_abandoned});
    REQUIRE(player);
    const auto problem = (*player)->begin_game(game_from_start());
    REQUIRE(problem);
    CHECK(mentions(problem->text, "program_of_nobody"));
}

TEST_CASE("a program of the Hub protocol takes its parameters or cannot begin",
          "[tools][hub][process]") {
    const HubFixture::HubParameters threads = {{"threads", "2"}};
    const auto problem_with_threads = [&](const std::string& script) {
        return start_problem(script, {}, rules_of<English>, threads);
    };
    CHECK(mentions(problem_with_threads(hub_introduction),
                   "it has no parameter 'threads'; it declares variant"));
    CHECK(mentions(problem_with_threads("wait ready"), "no parameter 'threads'; it declares none"));
    const std::string declared = "\"param name=threads value=1 type=int|wait\" @read ";
    CHECK(mentions(problem_with_threads(declared + "\"error message=|error message=oh|ready\""),
                   "it refuses its parameters: oh"));
    {
        HubFixture player(declared + "ready", {}, rules_of<English>, threads);
        CHECK_FALSE(player->begin_game(game_from_start()));
    }
    // Without parameters, too: what it was to begin with may have been too much.
    CHECK(mentions(start_problem("wait \"error message=memory|ready\""), "memory"));
}

TEST_CASE("waiting for a program of the Hub protocol ends with the match",
          "[tools][hub][process]") {
    HubFixture player(hub_introduction + "@silent");
    CbGame game = game_from_start();
    REQUIRE_FALSE(player->begin_game(game));
    player.is_abandoned = true;
    CHECK(player->take_turn(game, Allowance{.limit = patience}).fault == Ending::aborted);
}

TEST_CASE("a program of the Hub protocol may hold too much memory", "[tools][hub][process]") {
    losing_hub_detail(one_move("done move=12-16") + "@read @read @memory \"done move=8-12\"",
                      Ending::too_large, 3, {.memory = std::uint64_t{150} << 20});
}

TEST_CASE("errors of a program of the Hub protocol are kept", "[tools][hub][process]") {
    HubFixture player(hub_introduction + one_move("error message=oh|done move=12-16"));
    CbGame game = game_from_start();
    REQUIRE_FALSE(player->begin_game(game));
    CHECK_FALSE(player->take_turn(game, Allowance{.limit = patience}).fault);
    CHECK(player.printed == "error: oh\n");
}

TEST_CASE("scores of the Hub protocol above 90 men are wins", "[tools][hub][process]") {
    for (const auto& [score, value] :
         {std::pair{"99.83", "value=won in 17 plies"},
          std::pair{"-99.84", "value=lost in 16 plies"}, std::pair{"-1.25", "value=-125"},
          std::pair{"+120", "value=12000"}}) {
        HubFixture player(hub_introduction +
                          one_move("info score=" + std::string(score) + "|done move=12-16"));
        CbGame game = game_from_start();
        REQUIRE_FALSE(player->begin_game(game));
        const Turn turn = player->take_turn(game, Allowance{.limit = patience});
        CHECK(turn.detail.empty());
        CHECK(turn.status == value);
    }
}
