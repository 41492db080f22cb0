#include <catch2/catch.hpp>

#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <tools/match/engine_log.hpp>
#include <tools/match/former_options.hpp>
#include <tools/match/make_player.hpp>
#include <tools/match/referee.hpp>

#include "../base/temporary.hpp"
#include "scripted_player.hpp"
#include "test_programs.hpp"

using namespace defiance;

namespace {

constexpr std::size_t whole_game = 12;

PlayerSpec spec_of(const std::string& file, const std::vector<std::string>& commands = {}) {
    PlayerSpec spec;
    spec.kind = PlayerSpec::Kind::library;
    spec.target = file;
    spec.commands = commands;
    return spec;
}

std::string bad_engine_file() {
    return folder_of(module_path()) + DEFIANCE_BAD_ENGINE;
}

/// The bad engine as a player, which plays against itself.
class BadEngine {
public:
    explicit BadEngine(const std::vector<std::string>& commands, const OutputPolicy& policy = {})
        : BadEngine(spec_of(bad_engine_file(), commands), policy, nullptr) {}
    BadEngine(const PlayerSpec& spec, const OutputPolicy& policy, FormerOptions* options) {
        auto made =
            make_player(spec, rules_of<English>,
                        {loaders_of_build(), policy, log_.sink_of(0), is_abandoned_, options});
        INFO((made ? "" : made.error()));
        REQUIRE(made);
        player_ = *std::move(made);
    }

    [[nodiscard]] Player& player() { return *player_; }
    /// Where its process prints.
    [[nodiscard]] EngineLog& log() { return log_; }
    /// Ends its process.
    void end() { player_.reset(); }
    /// Nobody waits for its moves any more.
    void abandon() { is_abandoned_ = true; }

    /// A whole game of its moves.
    GameRecord play(const Adjudication& given = {}, double move_time = patience,
                    double margin = TimeSettings{}.margin) {
        CbGame game = game_from_start();
        const auto problem = player_->begin_game(game);
        INFO((problem ? problem->text : ""));
        REQUIRE_FALSE(problem);
        TimeSettings time;
        time.kind = TimeSettings::Kind::unlimited;
        time.move_limit = move_time;
        time.startup = 0;
        time.margin = margin;
        Adjudication rules = given;
        rules.max_plies = whole_game;
        GameRecord record = referee_game(game, {*player_}, {*player_}, time, rules);
        player_->end_game();
        return record;
    }

private:
    EngineLog log_{1};
    std::atomic<bool> is_abandoned_ = false;
    std::unique_ptr<Player> player_;
};

/// A folder in which the bad engine has stored that its level is 7.
class LevelFolder {
public:
    LevelFolder() { folder_.write("level.txt", "7"); }

    /// What is stored now.
    [[nodiscard]] std::string level() const { return *read_file(file()); }
    /// The bad engine there, sent these commands.
    [[nodiscard]] PlayerSpec engine(const std::vector<std::string>& commands) const {
        PlayerSpec spec = spec_of(bad_engine_file(), commands);
        spec.folder = folder_.path();
        return spec;
    }

private:
    [[nodiscard]] std::string file() const { return folder_.path() + "/level.txt"; }

    TemporaryFolder folder_;
};

/// The engine misbehaves like that in its third move, and loses by the rule.
std::string losing_detail(BadEngine& engine, Ending ending, double move_time = patience) {
    const GameRecord record = engine.play({}, move_time);
    INFO(record.detail);
    CHECK(code_of(record.ending) == code_of(ending));
    CHECK(result_of(record) == "0-1");
    CHECK(record.plies == 2);
    return record.detail;
}

/// Why no game with this player can begin; empty when one can.
std::string problem_of(const PlayerSpec& spec, const LoaderPrograms& programs) {
    const std::atomic<bool> is_abandoned = false;
    const auto player =
        make_player(spec, rules_of<English>, {programs, OutputPolicy{}, {}, is_abandoned});
    if (!player) return player.error();
    const auto problem = (*player)->begin_game(game_from_start());
    return problem ? problem->text : "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an engine plays whole games in one process", "[tools][match][engine]") {
    BadEngine engine({});
    for (int i = 0; i < 2; ++i) {
        const GameRecord record = engine.play();
        CHECK(record.ending == Ending::too_long);
        CHECK(record.plies == whole_game);
        CHECK(record.first.moves == static_cast<std::int64_t>(whole_game) / 2);
        CHECK(record.first.measured_moves == record.first.moves);
    }
    CHECK(engine.player().own_name() == "Bad Engine");
    CHECK(engine.player().game_type() == 21);
}

TEST_CASE("an engine whose process ends loses and is started anew", "[tools][match][engine]") {
    const std::string mode =
        GENERATE("crash", "exit", "status", "far_status", "reply", "far_reply");
    INFO(mode);
    BadEngine engine({"mode " + mode + " 3"});
    for (int i = 0; i < 2; ++i) {
        const std::string detail = losing_detail(engine, Ending::gone);
        if (mode == "status") CHECK(contains(detail, "status line is longer than 1024"));
        if (mode == "reply") CHECK(contains(detail, "reply is longer than 1024"));
    }
}

TEST_CASE("an engine whose process ends between two games loses neither",
          "[tools][match][engine]") {
    BadEngine engine({"mode leave " + std::to_string(whole_game)});
    CHECK(code_of(engine.play().ending) == code_of(Ending::too_long));
    sleep_milliseconds(2500);
    const GameRecord record = engine.play();
    INFO(record.detail);
    CHECK(code_of(record.ending) == code_of(Ending::too_long));
}

TEST_CASE("an engine that does not stop loses and is started anew", "[tools][match][engine]") {
    const std::string mode = GENERATE("hang", "deaf");
    INFO(mode);
    BadEngine engine({"mode " + mode + " 3"});
    for (int i = 0; i < 2; ++i)
        losing_detail(engine, Ending::too_late, 5);
}

TEST_CASE("an engine is told to move when its time is over, and has the margin for it",
          "[tools][match][engine]") {
    BadEngine engine({"mode wait 3"});
    constexpr double margin = 20;
    const GameRecord record = engine.play({}, 0.05, margin);
    INFO(record.detail);
    CHECK(record.ending == Ending::too_long);
    CHECK(record.plies == whole_game);
}

TEST_CASE("an engine whose board is after no legal move loses", "[tools][match][engine]") {
    const std::string mode = GENERATE("illegal", "unchanged");
    INFO(mode);
    BadEngine engine({"mode " + mode + " 3"});
    losing_detail(engine, Ending::illegal_move);
    CHECK(engine.play().ending == Ending::too_long);
}

TEST_CASE("an engine may print and claim what it wants", "[tools][match][engine]") {
    BadEngine printing({"mode print 3"});
    const ScratchPath log(".log");
    REQUIRE_FALSE(printing.log().open(log.text()));
    CHECK(printing.play().ending == Ending::too_long);
    printing.end();
    CHECK(*read_file(log.text()) == "");
    // The lines wait for the name, and keep it.
    printing.log().set_names({"Chatty"});
    printing.log().sink_of(0)("and more");
    const std::string text = *read_file(log.text());
    CHECK(text.find("Chatty: moved 3 0.0 none nothing\nChatty: reply 0 0 no\n") == 0);
    CHECK(text.rfind("Chatty: and more\n") == text.size() - sizeof "Chatty: and more\n" + 1);
    CHECK(text.find("Chatty: an error\n") != std::string::npos);
    BadEngine claiming({"mode win 3"});
    CHECK(claiming.play().ending == Ending::too_long);
    BadEngine believed({"mode win 3"});
    Adjudication rules;
    rules.claims = BelievedClaims::all;
    const GameRecord record = believed.play(rules);
    CHECK(record.ending == Ending::adjudicated);
    CHECK(result_of(record) == "1-0");
    CHECK(record.plies == 3);
}

TEST_CASE("an engine that holds too much memory loses", "[tools][match][engine]") {
    BadEngine engine({"hold"}, OutputPolicy{.memory = std::uint64_t{150} << 20});
    const GameRecord record = engine.play();
    CHECK(code_of(record.ending) == code_of(Ending::too_large));
    CHECK(result_of(record) == "0-1");
}

TEST_CASE("options that an engine stores are put back at the end", "[tools][match][engine]") {
    const LevelFolder folder;
    FormerOptions options;
    {
        BadEngine first(folder.engine({"set level 3"}), {}, &options);
        BadEngine second(folder.engine({"set level 5", "mode crash 3"}), {}, &options);
        CHECK(first.play().ending == Ending::too_long);
        CHECK(folder.level() == "3");
        // Each finds what another one has stored, and one after a crash what it has itself.
        losing_detail(second, Ending::gone);
        losing_detail(second, Ending::gone);
        REQUIRE_FALSE(second.player().begin_game(game_from_start()));
        CHECK(folder.level() == "5");
        first.end();
        CHECK(folder.level() == "7");
    }
    CHECK(folder.level() == "7");
}

TEST_CASE("engine files of the same name store the same options", "[tools][match][engine]") {
    const LevelFolder folder;
    FormerOptions options;
    const TemporaryFolder other_folder;
    const std::string other_file = other_folder.path() + path_separator + DEFIANCE_BAD_ENGINE;
    std::filesystem::copy_file(bad_engine_file(), other_file);
    PlayerSpec other = folder.engine({"set level 5"});
    other.target = other_file;
    {
        BadEngine first(folder.engine({"set level 3"}), {}, &options);
        BadEngine second(other, {}, &options);
        CHECK(first.play().ending == Ending::too_long);
        CHECK(second.play().ending == Ending::too_long);
        CHECK(folder.level() == "5");
    }
    CHECK(folder.level() == "7");
}

TEST_CASE("options are put back by an engine that is given up", "[tools][match][engine]") {
    const LevelFolder folder;
    FormerOptions options;
    SECTION("because it refuses a command") {
        BadEngine engine(folder.engine({"set level 3", "refuse"}), {}, &options);
        CHECK(engine.player().begin_game(game_from_start()));
        CHECK(folder.level() == "7");
    }
    SECTION("because the match has ended while it thinks") {
        BadEngine engine(folder.engine({"set level 3", "mode wait 1"}), {}, &options);
        CbGame game = game_from_start();
        REQUIRE_FALSE(engine.player().begin_game(game));
        CHECK(folder.level() == "3");
        engine.abandon();
        const Allowance allowance{.limit = patience};
        CHECK(engine.player().take_turn(game, allowance).fault == Ending::aborted);
        CHECK(folder.level() == "7");
    }
    SECTION("because it holds too much memory") {
        BadEngine engine(folder.engine({"set level 3", "hold"}),
                         OutputPolicy{.memory = std::uint64_t{150} << 20}, &options);
        CHECK(code_of(engine.play().ending) == code_of(Ending::too_large));
        CHECK(folder.level() == "7");
    }
}

TEST_CASE("the first value of an option that is seen counts", "[tools][match][engine]") {
    FormerOptions options;
    const std::string file = "engine.dll";
    CHECK_FALSE(options.has(file, "level"));
    CHECK(options.of(file).empty());
    options.note(file, "level", "7");
    options.note(file, "level", "3");
    options.note(file, "book", "");
    CHECK(options.has(file, "level"));
    CHECK_FALSE(options.has("other.dll", "level"));
    CHECK(options.of(file) == std::vector<FormerOptions::NamedValue>{{"level", "7"}, {"book", ""}});
}

TEST_CASE("what is no engine is named", "[tools][match][engine]") {
    const ScratchPath text(".dll");
    std::ofstream(text.text()) << "This is no engine.\n";
    CHECK(contains(problem_of(spec_of(text.text()), loaders_of_build()), text.text()));
    CHECK(contains(problem_of(spec_of("absent_engine.dll"), loaders_of_build()),
                   "absent_engine.dll' cannot be opened"));
    // A program is loaded at most, and exports nothing.
    CHECK(contains(problem_of(spec_of(module_path()), loaders_of_build()), "defiance_tests"));
    CHECK(contains(problem_of(spec_of(bad_engine_file(), {"refuse"}), loaders_of_build()),
                   "it refuses 'refuse'"));
    CHECK(contains(problem_of(spec_of(bad_engine_file(), {"die"}), loaders_of_build()),
                   "'die': its process ended"));
}

TEST_CASE("an engine of a width that cannot be loaded is named", "[tools][match][engine]") {
    // The headers of a DLL as far as they are looked at.
    std::string bytes = "MZ" + std::string(0x3A, '\0') + '\x40' + std::string(3, '\0') + "PE";
    bytes += std::string(2, '\0') + (GENERATE(true, false) ? "\x64\x86" : "\x4C\x01");
    bytes += std::string(64, '\0');
    const ScratchPath file(".dll");
    std::ofstream(file.text(), std::ios::binary) << bytes;
    LoaderPrograms programs;
    programs.own = {program_of_build("defiance")};
    const std::string problem = problem_of(spec_of(file.text()), programs);
    CHECK(contains(problem, file.text()));
    CHECK(contains(problem, "needs a defiance.exe of its own width"));
}
