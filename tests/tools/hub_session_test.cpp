#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <tools/support/games.hpp>
#include <tools/support/hub_notation.hpp>

#include "hub_talk.hpp"

using namespace defiance;

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
    // A search that has ended before the hit, short of its level.
    for (const char* level : {"level depth=60", "level nodes=100000000", "level move-time=3600"}) {
        INFO(level);
        talk.say("pos pos=WWWeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB");
        talk.say(level);
        talk.say("go ponder");
        check_goes_on(talk);
        talk.say("ponder-hit");
        talk.answer("done");
    }
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
