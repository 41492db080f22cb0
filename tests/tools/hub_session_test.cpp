#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/support/games.hpp>
#include <tools/support/hub_notation.hpp>

#include "hub_talk.hpp"
#include "test_programs.hpp"

using namespace defiance;

namespace {

/// A search goes on for a while, and ends when it is told to.
void check_thinks_until_stopped(HubTalk& talk) {
    check_goes_on(talk);
    talk.say("stop");
    talk.answer("done");
}

Move hub_move_in(const std::string& done, std::string_view argument, const GameRules& rules,
                 const Position& position) {
    INFO(done);
    const Result<HubLine> line = parse_hub_line(done);
    REQUIRE(line);
    const Result<Move> move =
        parse_hub_move(rules, position, line->value(argument).value_or("absent"));
    REQUIRE(move);
    return *move;
}

}  // namespace

TEST_CASE("a session of the Hub protocol from its beginning to its end", "[tools][hub]") {
    HubTalk talk;
    talk.say("hub");
    CHECK(
        talk.until("wait") ==
        std::vector<std::string>{
            "id name=Defiance version=1.0.0 author=\"the Defiance authors\"",
            "param name=variant value=english type=enum values=\"english italian spanish russian "
            "brazilian czech\"",
            "param name=hash value=1 type=int min=1 max=" +
                std::to_string(max_hash_mebibytes_for(sizeof(void*))),
            "param name=threads value=1 type=int min=1 max=64",
            "param name=egdb value=false type=bool", "param name=egdb-path value=\"\" type=string",
            "param name=book value=3 type=int min=0 max=3",
            "param name=hintpolicy value=verify type=enum values=\"trust verify ignore\"", "wait"});
    talk.say("set-param name=variant value=russian");
    talk.say("set-param name=hash value=2");
    talk.say("set-param name=threads value=2");
    CHECK(talk.is_silent());
    talk.say("init");
    CHECK(talk.answer("ready") == "ready");
    talk.say("ping");
    CHECK(talk.answer("pong") == "pong");

    // A search, its information, and its answer with the expected reply.
    const GameRules& rules = rules_of<Russian>;
    const Position start = rules.start_position();
    talk.say("pos pos=" + to_hub_position(rules, start));
    talk.say("level depth=6");
    talk.say("go think");
    const std::vector<std::string> lines = talk.until("done");
    REQUIRE(lines.size() >= 2);
    const Result<HubLine> info = parse_hub_line(lines[lines.size() - 2]);
    REQUIRE(info);
    CHECK(info->command == "info");
    CHECK(info->value("depth") == "6");
    for (const char* name : {"score", "nodes", "time", "pv"})
        CHECK(info->value(name));
    const Move move = hub_move_in(lines.back(), "move", rules, start);
    const Position after = rules.after(start, move);
    static_cast<void>(hub_move_in(lines.back(), "ponder", rules, after));

    // The game goes on with moves behind the position.
    talk.say("new-game");
    talk.say("pos pos=" + to_hub_position(rules, start) + " moves=\"22-18 11-16\"");
    talk.say("level nodes=500");
    talk.say("go think");
    Game game(rules, start);
    for (const char* text : {"22-18", "11-16"}) {
        const Result<Move> played = parse_hub_move(rules, game.position(), text);
        REQUIRE(played);
        game.play(*played);
    }
    static_cast<void>(hub_move_in(talk.answer("done"), "move", rules, game.position()));
    CHECK(talk.ends_with("quit"));
    CHECK(talk.is_silent());
}

TEST_CASE("a search hears stop and ping", "[tools][hub]") {
    HubTalk talk;
    for (const char* mode : {"go think", "go analyze"}) {
        talk.say("pos start");
        talk.say("level infinite");
        talk.say(mode);
        talk.say("ping");
        talk.answer("pong");
        talk.say("level depth=1");
        CHECK(talk.answer("error").find("during a search") != std::string::npos);
        talk.say("stop");
        talk.answer("done");
    }
    // Nothing is left to stop.
    talk.say("stop");
    talk.say("ponder-hit");
    CHECK(talk.is_silent());
}

TEST_CASE("what comes after stop waits for the end of the search", "[tools][hub]") {
    HubTalk talk;
    talk.say("level infinite");
    talk.say("go think");
    talk.say("stop");
    talk.say(hub_position_line("B:W15:B11"));
    talk.say("go think");
    // The first answer is of the first search.
    static_cast<void>(hub_move_in(talk.answer("done"), "move", rules_of<English>,
                                  rules_of<English>.start_position()));
    CHECK(talk.answer("done") == "done move=11x18x15");
}

TEST_CASE("quit and the end of a session end its search", "[tools][hub]") {
    {
        HubTalk talk;
        talk.say("level infinite");
        talk.say("go think");
        CHECK(talk.ends_with("quit"));
    }
    HubTalk talk;
    talk.say("go ponder");
}

TEST_CASE("pondering ends with a hit and its level, or with stop", "[tools][hub]") {
    HubTalk talk;
    for (const char* level : {"level move-time=0.02", "level depth=3", "level nodes=100",
                              "level time=1 inc=0.1", "level moves=3 time=0.3"}) {
        INFO(level);
        talk.say(level);
        talk.say("go ponder");
        sleep_milliseconds(30);
        talk.say("ping");
        for (const std::string& line : talk.until("pong"))
            CHECK_FALSE(line.starts_with("done"));
        talk.say("ponder-hit");
        talk.answer("done");
    }
    talk.say("level infinite");
    talk.say("go ponder");
    talk.say("ponder-hit");
    talk.say("stop");
    talk.answer("done");
}

TEST_CASE("every kind of level ends a search", "[tools][hub]") {
    HubTalk talk;
    for (const char* level :
         {"level depth=1", "level depth=9223372036854775807 nodes=10", "level nodes=1",
          "level move-time=0", "level move-time=0.01", "level time=0", "level time=0.2 inc=0.01",
          "level inc=0.01", "level moves=1 time=0.05", "level moves=10 time=0.1 inc=0.01",
          "level time=-0.3 inc=0.5", "level time=-100 inc=0.01", "level moves=5 time=-1",
          "level time=1e-05 inc=1E-02", "level time=0.1 inc=-1", "level move-time=-2",
          "level depth=4 move-time=10"}) {
        INFO(level);
        talk.say(level);
        talk.say("go think");
        talk.answer("done");
    }
}

TEST_CASE("what can be read of a level counts, and its search is short", "[tools][hub]") {
    HubTalk talk;
    for (const char* level : {"level time=soon inc=0.01", "level depth=2 time=soon",
                              "level time=0.05 inc=x", "level moves=0 time=0.05"}) {
        INFO(level);
        talk.say(level);
        CHECK(talk.answer("error").starts_with("error message=\"level: "));
        talk.say("go think");
        talk.answer("done");
    }
    // A search to this depth would not end.
    for (const char* level : {"level time=soon", "level move-time=99999999",
                              "level time=", "level depth=0", "level nodes=-5"}) {
        INFO(level);
        talk.say("level depth=100");
        talk.say(level);
        talk.answer("error");
        talk.say("go think");
        talk.answer("done");
    }
    // The level of a search under way is not changed.
    talk.say("level infinite");
    talk.say("go think");
    talk.say("level time=");
    talk.answer("error");
    check_thinks_until_stopped(talk);
}

TEST_CASE("times of a level below zero count as none", "[tools][hub]") {
    const auto level_of = [](const char* text) {
        HubLevel level;
        CHECK(read_hub_level(*parse_hub_line(text), level));
        REQUIRE(level.time);
        return *level.time;
    };
    const TimeControl low = level_of("level time=-0.3 inc=0.5");
    CHECK(low.mode == TimeMode::increment);
    CHECK(low.remaining == Approx(0.2));
    CHECK(low.increment == 0.5);
    CHECK(level_of("level time=-7 inc=0.5").remaining == 0);
    CHECK(level_of("level time=2 inc=-1").remaining == 2);
    CHECK(level_of("level time=2 inc=-1").increment == 0);
    CHECK(level_of("level time=1e-05").remaining == 1e-05);
    CHECK(level_of("level moves=3 time=-1").seconds == 0);
    CHECK(level_of("level move-time=-1").seconds == 0);
    HubLevel unreadable;
    CHECK_FALSE(read_hub_level(*parse_hub_line("level time=soon nodes=7"), unreadable));
    CHECK(unreadable.nodes == 7);
    REQUIRE(unreadable.time);
    CHECK(unreadable.time->mode == TimeMode::deadline);
    CHECK(unreadable.time->seconds < 1);
}

TEST_CASE("a level counts for one search only", "[tools][hub]") {
    HubTalk talk;
    talk.say("level depth=2");
    talk.say("level nodes=100000000");
    talk.say("go");
    talk.answer("done");
    talk.say("go");
    check_thinks_until_stopped(talk);
}

TEST_CASE("a single move is not thought about, unless it is analysed", "[tools][hub]") {
    HubTalk talk;
    const std::string single = hub_position_line("B:W15,30,31,32:B1,2,3,11");
    talk.say(single);
    talk.say("level infinite");
    talk.say("go think");
    talk.answer("done");
    talk.say("level infinite");
    talk.say("go analyze");
    check_thinks_until_stopped(talk);
}

TEST_CASE("what the session is told wrongly is an error and changes nothing", "[tools][hub]") {
    HubTalk talk;
    for (const char* line : {"set-param",
                             "set-param name=hash",
                             "set-param name=hash value=0",
                             "set-param name=hash value=many",
                             "set-param name=hash value=99999999999999999999",
                             "set-param name=variant value=chess",
                             "set-param name=threads value=0",
                             "set-param name=threads value=65",
                             "set-param name=egdb value=maybe",
                             "set-param name=book value=4",
                             "set-param name=hintpolicy value=believe",
                             "set-param name=hintpolicy",
                             "set-param name=nothing value=1",
                             "level depth=0",
                             "level depth=-1",
                             "level nodes=x",
                             "level time=-1e8",
                             "level time=nan",
                             "level move-time=99999999",
                             "level time=",
                             "level depth",
                             "level moves=0 time=1",
                             "pos pos=x",
                             "pos pos",
                             "a b=\"c"}) {
        INFO(line);
        talk.say(line);
        CHECK(talk.answer("error").starts_with("error message=\""));
        CHECK(talk.is_silent());
    }
    // After a position that cannot be read there is none.
    talk.say("go think");
    CHECK(talk.answer("error").find("no position") != std::string::npos);
    CHECK(talk.answer("done") == "done");
    talk.say("pos start moves=\"11-15 11-15\"");
    CHECK(talk.answer("error").find("'11-15' is not a legal move") != std::string::npos);
    talk.say("pos pos=W" + std::string(32, 'e'));
    talk.say("go think");
    CHECK(talk.answer("error").find("has no move") != std::string::npos);
    CHECK(talk.answer("done") == "done");
    talk.say("pos start");
    talk.say("level depth=1");
    talk.say("go think");
    CHECK(talk.answer("done").starts_with("done move="));
}

TEST_CASE("a hash table that there is no memory for is told at the start", "[tools][hub]") {
    HubTalk talk({&core_of<English>, 4'000'000'000U, false, {}, HintPolicy::verify, {}});
    talk.say("hub");
    const std::vector<std::string> declared = talk.until("wait");
    CHECK(std::any_of(declared.begin(), declared.end(), [](const std::string& line) {
        return line.starts_with("param name=hash value=64 ");
    }));
    talk.say("init");
    const std::vector<std::string> lines = talk.until("ready");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("error message=\"'hash': "));
    CHECK(lines[0].find("it keeps its 64 MB") != std::string::npos);
    // It is told once.
    talk.say("init");
    CHECK(talk.until("ready").size() == 1);
}

TEST_CASE("a game may have as many moves as a line has room for", "[tools][hub]") {
    HubTalk talk;
    std::string moves;
    // A match without draw laws may have many moves of kings.
    for (int i = 0; i < 400; ++i)
        moves += "1-6 32-27 6-1 27-32 ";
    talk.say(hub_position_line("B:WK32:BK1") + " moves=\"" + moves + '"');
    talk.say("level depth=1");
    talk.say("go think");
    CHECK(talk.until("done").back().find("move=") != std::string::npos);
    while (moves.size() < longest_hub_line)
        moves += moves;
    talk.say(hub_position_line("B:WK32:BK1") + " moves=\"" + moves + '"');
    CHECK_FALSE(talk.answer("error").empty());
}

TEST_CASE("commands and arguments that are not known and blank lines do nothing", "[tools][hub]") {
    HubTalk talk;
    talk.say("hello world");
    talk.say("HUB");
    for (const char* blank : {"", "  ", "\r", "\t \r"})
        talk.say(blank);
    CHECK(talk.is_silent());
    talk.say("level depth=2 handicap=3");
    talk.say("go think later=\"x y\"");
    CHECK(talk.answer("done").starts_with("done move="));
}

TEST_CASE("a proven score tells the plies to the end", "[tools][hub]") {
    HubTalk talk;
    talk.say(hub_position_line("B:W15:B11"));
    talk.say("level depth=3");
    talk.say("go analyze");
    const std::vector<std::string> lines = talk.until("done");
    REQUIRE(lines.size() >= 2);
    const Result<HubLine> info = parse_hub_line(lines[lines.size() - 2]);
    REQUIRE(info);
    CHECK(info->value("score") == "99.99");
    CHECK(lines.back() == "done move=11x18x15");
}

TEST_CASE("every game is played", "[tools][hub]") {
    HubTalk talk;
    for (const GameCore* core : built_games()) {
        talk.say("set-param name=variant value=" + std::string(core->rules.file_word));
        Game game(core->rules, core->rules.start_position());
        std::string moves;
        for (int ply = 0; ply < 60 && core->rules.count_moves(game.position()) > 0; ++ply) {
            talk.say("pos start moves=\"" + moves + '"');
            talk.say("level nodes=200");
            talk.say("go think");
            const Move move =
                hub_move_in(talk.answer("done"), "move", core->rules, game.position());
            moves += to_hub_move(core->rules, move) + ' ';
            game.play(move);
        }
        CHECK(moves.size() > 100);
    }
}

TEST_CASE("a session whose answers nobody reads is over", "[tools][hub]") {
    HubSession session({&core_of<English>, 1, false, {}, HintPolicy::verify, {}},
                       [](std::string_view) { return false; });
    CHECK(session.take("stop"));
    CHECK(session.take("go think"));
    CHECK_FALSE(session.take("ping"));
    CHECK_FALSE(session.take("stop"));
}

TEST_CASE("no line does a session harm", "[tools][hub]") {
    HubTalk talk;
    Random random(11);
    constexpr std::string_view pieces[] = {"hub",
                                           "init",
                                           "pos",
                                           "level",
                                           "go",
                                           "think",
                                           "analyze",
                                           "ponder",
                                           "stop",
                                           "new-game",
                                           "ping",
                                           " ",
                                           " ",
                                           "=",
                                           "\"",
                                           "start",
                                           "moves",
                                           "11-15",
                                           "depth=1",
                                           "pos=W",
                                           "nodes=20",
                                           "time=0",
                                           "inc=0.001",
                                           "moves=5",
                                           "set-param name=variant value=",
                                           "czech",
                                           "name",
                                           "ponder-hit",
                                           "\xFF",
                                           "\t",
                                           "move-time=0",
                                           "egdb",
                                           "value=true",
                                           "99999999999999999999",
                                           "-1",
                                           "set-param name=hash value="};
    for (int i = 0; i < 3000; ++i) {
        std::string line;
        for (std::size_t length = 1 + random.below(8); length > 0; --length)
            line += pieces[random.below(std::size(pieces))];
        static_cast<void>(talk.ends_with("level nodes=50 move-time=0.001"));
        static_cast<void>(talk.ends_with(line));
        if (i % 8 == 0) static_cast<void>(talk.ends_with("stop"));
    }
    talk.say("stop");
    talk.say("pos start");
    talk.say("ping");
    talk.answer("pong");
}
