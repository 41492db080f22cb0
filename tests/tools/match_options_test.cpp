#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <tools/match/game_files.hpp>
#include <tools/match/match_options.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

namespace {

/// The settings of a match of two players that need no engine with these options; a word before
/// them is one more player.
Result<CompetitionSettings> read_settings(std::vector<std::string_view> options) {
    std::vector<std::string_view> words = {"random", "random"};
    words.insert(words.end(), options.begin(), options.end());
    const auto arguments = Arguments::parse({competition_options(), "A B", 2, 3}, words);
    REQUIRE(arguments);
    return read_competition(*arguments, 100);
}

CompetitionSettings settings_of(std::vector<std::string_view> options) {
    Result<CompetitionSettings> settings = read_settings(std::move(options));
    INFO((settings ? "" : settings.error()));
    REQUIRE(settings);
    return *std::move(settings);
}

}  // namespace

TEST_CASE("a limit of nodes or depth alone takes the place of the clock", "[tools][match]") {
    using Kind = TimeSettings::Kind;
    CHECK(settings_of({"--nodes", "5000"}).time.kind == Kind::unlimited);
    CHECK(settings_of({"--depth", "9"}).time.kind == Kind::unlimited);
    CHECK(settings_of({"--nodes", "5000", "--depth", "9"}).time.kind == Kind::unlimited);
    CHECK(settings_of({}).time.kind == Kind::average);
    CHECK(settings_of({"--time", "0.2"}).time.kind == Kind::average);
    CHECK(settings_of({"--time", "0.2", "--exact"}).time.kind == Kind::exact);
    const TimeSettings clock = settings_of({"--tc", "60+0.5"}).time;
    CHECK(clock.kind == Kind::increment);
    CHECK(clock.seconds == 60);
    CHECK(clock.increment == 0.5);
}

TEST_CASE("the time of a clock may be for a number of moves", "[tools][match]") {
    const TimeSettings whole = settings_of({"--tc", "60+0.5"}).time;
    CHECK(whole.moves == 0);
    const TimeSettings parts = settings_of({"--tc=40/60+0.5"}).time;
    CHECK(parts.kind == TimeSettings::Kind::increment);
    CHECK(parts.moves == 40);
    CHECK(parts.seconds == 60);
    CHECK(parts.increment == 0.5);
    const TimeSettings plain = settings_of({"--tc", "1/2.5"}).time;
    CHECK(plain.moves == 1);
    CHECK(plain.seconds == 2.5);
    CHECK(plain.increment == 0);
    for (const std::string_view text :
         {"0/60", "-1/60", "/60", "40/", "40/0", "40/0+0", "40/+1", "4.5/60", "40/60/60", "60+1/40",
          "10001/60", "x/60", "", "+", "60+"}) {
        CAPTURE(text);
        const auto refused = read_settings({"--tc", text});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().starts_with("--tc: seconds for the game"));
    }
}

TEST_CASE("CheckerBoard believes claims of draws, and others with early adjudication",
          "[tools][match]") {
    const Adjudication usual = settings_of({}).adjudication;
    CHECK(usual.claims == BelievedClaims::none);
    CHECK(usual.draw_quiet == 80);
    const Adjudication gui = settings_of({"--checkerboard"}).adjudication;
    CHECK(gui.claims == BelievedClaims::draws);
    CHECK(gui.draw_quiet == 79);
    CHECK(gui.max_plies == 300);
    const Adjudication early = settings_of({"--checkerboard", "--claims"}).adjudication;
    CHECK(early.claims == BelievedClaims::all);
    CHECK(early.max_plies == 200);
    CHECK(settings_of({"--claims"}).adjudication.claims == BelievedClaims::all);
}

TEST_CASE("only one option may set the time of a match", "[tools][match]") {
    const std::vector<std::vector<std::string_view>> refused = {
        {"--time", "1", "--nodes", "5"},
        {"--time", "1", "--depth", "5"},
        {"--tc", "1+1", "--nodes", "5"},
        {"--tc", "1+1", "--depth", "5"},
        {"--time", "1", "--tc", "1+1"},
        {"--exact", "--tc", "1+1"},
        {"--exact", "--nodes", "5"},
        {"--exact", "--depth", "5"},
        {"--time", "1", "--exact", "--tc", "1+1"}};
    for (const auto& options : refused) {
        CAPTURE(options);
        CHECK_FALSE(read_settings(options));
    }
}

TEST_CASE("what does not change the games is left out of a match's summary", "[tools][match]") {
    const std::string summary = settings_of({"--games", "4"}).summary;
    CHECK(settings_of({"--games", "4", "--concurrency", "2", "--engine-log", "x.log", "--resume",
                       "x.txt", "--host32", "x", "--host64", "y"})
              .summary == summary);
    CHECK(settings_of({"--games", "4", "--depth", "9"}).summary != summary);
    CHECK(settings_of({"--games", "4", "--engine-log", "x.log"}).log_file == "x.log");
}

TEST_CASE("the number of games is left out of a summary if more of them change nothing",
          "[tools][match]") {
    const auto is_free = [](std::vector<std::string_view> options) {
        std::vector<std::string_view> more = options;
        options.insert(options.end(), {"--games", "4"});
        more.insert(more.end(), {"--games", "6"});
        return settings_of(options).summary == settings_of(more).summary;
    };
    CHECK(is_free({}));
    CHECK(is_free({"--order", "listed", "--sprt", "0,5"}));
    CHECK(is_free({"--format", "gauntlet"}));
    CHECK(settings_of({}).summary == settings_of({"--games", "200"}).summary);
    CHECK_FALSE(is_free({"--order", "spread"}));
    CHECK_FALSE(is_free({"--format", "knockout"}));
    CHECK_FALSE(is_free({"--format", "swiss"}));
    CHECK_FALSE(is_free({"random"}));
}

TEST_CASE("a summary tells where games are kept", "[tools][match]") {
    const std::string summary = settings_of({"--pdn", "games.pdn"}).summary;
    CHECK(settings_of({"--pdn", "games.pdn"}).summary == summary);
    CHECK(settings_of({"--pdn", "elsewhere/games.pdn"}).summary != summary);
    CHECK(settings_of({}).summary != summary);
}

TEST_CASE("a match goes on with a state of before its number of games was left out",
          "[tools][match]") {
    const TemporaryFolder folder;
    const std::string state = folder.path() + "/state";
    const auto goes_on = [&](const std::string& line, std::vector<std::string_view> options) {
        INFO(line);
        folder.write("state", "defiance-match 1 0 " + line + '\n');
        options.insert(options.end(), {"--resume", state});
        const auto files = GameFiles::open(settings_of(options));
        if (!files) CHECK(files.error().find("other settings or programs") != std::string::npos);
        return files && files->is_resumed();
    };
    const std::string summary = settings_of({}).summary;
    const std::string players = "random random";
    REQUIRE(summary.starts_with(players + " openings "));
    const std::string tail = summary.substr(players.size());
    for (const std::string games : {"", " --games 1", " --games 4", " --games 200"}) {
        CHECK(goes_on(players + games + tail, {}));
        CHECK(goes_on(players + games + tail, {"--games", "6"}));
        CHECK(goes_on(players + " --exact" + games + " --time 1" + tail,
                      {"--time", "1", "--games", "4", "--exact"}));
        CHECK(goes_on(players + " --exact" + games + tail, {"--exact"}));
        CHECK(goes_on(players + games + " --time 1" + tail, {"--time", "1"}));
        CHECK_FALSE(goes_on(players + games + tail, {"--time", "1"}));
        CHECK_FALSE(goes_on(players + games + " --time 1" + tail, {}));
    }
    for (const std::string games : {" --games 0", " --games x", " --games ", " --games 4 --games 4",
                                    " --games 4 --depth 1", " --games"})
        CHECK_FALSE(goes_on(players + games + tail, {}));
    CHECK_FALSE(goes_on(players + " --games 4 --exact" + tail, {"--exact"}));
    // Where the number changes what is played it has to be the same.
    const std::string swiss =
        settings_of({"--format", "swiss", "--games", "4"}).summary.substr(players.size());
    CHECK(goes_on(players + swiss, {"--format", "swiss", "--games", "4"}));
    CHECK_FALSE(goes_on(players + swiss, {"--format", "swiss"}));
    CHECK_FALSE(goes_on(players + swiss, {"--format", "swiss", "--games", "6"}));
    const std::string spread =
        settings_of({"--order", "spread", "--games", "4"}).summary.substr(players.size());
    CHECK_FALSE(goes_on(players + spread, {"--order", "spread"}));
    CHECK_FALSE(goes_on(players + spread, {"--order", "spread", "--games", "6"}));
}

TEST_CASE("a sequential test is of strengths that a match can tell apart", "[tools][match]") {
    CHECK(settings_of({"--sprt", "-1000,1000"}).test->elo1 == 1000);
    for (const std::string_view bounds : {"0,1001", "-1001,0", "0,1000000"}) {
        const auto refused = read_settings({"--sprt", bounds});
        REQUIRE_FALSE(refused);
        CHECK(refused.error() == "--sprt: logistic Elo must lie between -1000 and 1000");
    }
    CHECK(settings_of({"--sprt", "-200,200", "--elo-model", "normalized"}).test->elo1 == 200);
    const auto refused = read_settings({"--sprt", "0,201", "--elo-model", "normalized"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error() == "--sprt: normalized Elo must lie between -200 and 200");
}

TEST_CASE("players of a match have a minute to start", "[tools][match]") {
    CHECK(settings_of({}).policy.startup == 60);
    CHECK(settings_of({"--startup", "5"}).policy.startup == 60);
    CHECK(settings_of({"--startup", "100"}).policy.startup == 100);
    // The first move has what the user says.
    CHECK(settings_of({"--startup", "5"}).time.startup == 5);
}

TEST_CASE("a match does not write the file of its openings", "[tools][match]") {
    const TemporaryFolder folder;
    folder.write("openings.txt", "11-15\n");
    const std::string file = folder.path() + "/openings.txt";
    const std::string same = folder.path() + "/./openings.txt";
    for (const std::string_view option : {"--pdn", "--resume", "--engine-log"}) {
        const auto error = find_shared_file(settings_of({"--openings", file, option, same}));
        REQUIRE(error);
        CHECK(error->text ==
              "--openings and " + std::string(option) + " are the same file, '" + file + "'");
    }
    const std::string other = folder.path() + "/games.pdn";
    CHECK_FALSE(find_shared_file(settings_of({"--openings", file, "--pdn", other})));
    // Lists that are built in are no files, whatever a file is called.
    for (const std::string_view list : {"start", "11-man", "3-move"})
        CHECK_FALSE(find_shared_file(settings_of({"--openings", list, "--pdn", list})));
}

TEST_CASE("the lists of openings have the same names as for books", "[tools][match]") {
    const auto names_of = [](std::string_view word, std::string_view game) {
        std::vector<std::string> names;
        for (const Opening& opening :
             settings_of({"--openings", word, "--game", game, "--order", "listed"}).openings)
            names.push_back(opening.name);
        return names;
    };
    const std::vector<std::string> three_move = names_of("3-move", "english");
    CHECK(three_move.size() == 174);
    CHECK(names_of("3move", "english") == three_move);
    const std::vector<std::string> eleven_man = names_of("11-man", "italian");
    CHECK(eleven_man.size() == 12 * 12);  // each side without one of its men
    CHECK(names_of("11man", "italian") == eleven_man);
    CHECK_FALSE(read_settings({"--openings", "3move", "--game", "italian"}));
    CHECK_FALSE(read_settings({"--openings", "4move", "--game", "english"}));
}
