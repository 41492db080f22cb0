// Players that are told moves by a position database.

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/rules/move_text.hpp>
#include <tools/match/database_player.hpp>
#include <tools/match/line_process.hpp>

#include "hub_talk.hpp"
#include "scripted_database.hpp"
#include "scripted_player.hpp"

using namespace defiance;

namespace {

/// What a database says that knows of no game: the king of black walks to and fro on 1 and 5.
std::string circling_answer(const HttpRequest& request) {
    const std::string_view board = request.field("board").value_or("");
    if (board.ends_with(":BK1")) return "move:1-5";
    return board.ends_with(":BK5") ? "move:5-1" : "nobestmove";
}

}  // namespace

TEST_CASE("a player plays out of the database and goes on itself", "[tools][cdb][match]") {
    ScriptedDatabase server([](const HttpRequest& request) {
        return request.field("board")->starts_with("B:W21,22,23") ? "move:11-15" : "nobestmove";
    });
    CbGame game(rules_of<English>);
    DatabasePlayer player(std::make_unique<ScriptedPlayer>(quiet_turns({"22 18"})),
                          options_for(server.port()));
    const Turn first = player.take_turn(game, {});
    CHECK(first.status == "position database");
    CHECK(first.seconds == 0);
    CHECK_FALSE(first.was_asked);
    CHECK_FALSE(first.fault);
    CHECK(game.last_middleware_text() == "11 15");
    const Turn second = player.take_turn(game, {});
    CHECK(second.status.empty());
    CHECK(second.was_asked);
    CHECK(game.last_middleware_text() == "22 18");
    // The score of the first move was asked for, too.
    CHECK(server.questions == 3);
}

TEST_CASE("a player does not go round in circles with the database", "[tools][cdb][match]") {
    ScriptedDatabase server(circling_answer);
    CbGame game = game_from("B:WK32:BK1");
    DatabasePlayer player(std::make_unique<ScriptedPlayer>(quiet_turns({"1 6"})),
                          options_for(server.port()));
    for (const char* reply : {"32 28", "28 32"}) {
        CHECK_FALSE(player.take_turn(game, {}).was_asked);
        REQUIRE(game.play_middleware_text(reply));
    }
    CHECK(game.texts() == std::vector<std::string>{"1-5", "32-28", "5-1", "28-32"});
    CHECK(player.take_turn(game, {}).was_asked);
    CHECK(game.last_middleware_text() == "1 6");
    // With other moves of white in between the positions are others.
    CbGame other = game_from("B:WK32:BK1");
    for (const char* reply : {"32 28", "28 24", "24 20"}) {
        CHECK_FALSE(player.take_turn(other, {}).was_asked);
        REQUIRE(other.play_middleware_text(reply));
    }
}

TEST_CASE("the middleware program does not go round in circles with the database",
          "[tools][cdb][middleware][process]") {
    ScriptedDatabase server(circling_answer);
    const std::atomic<bool> is_abandoned = false;
    auto process = LineProcess::start(
        {program_of_build("defiance"), "middleware", "--random", "--setup", "--cdb",
         "http://127.0.0.1:" + std::to_string(server.port()), "--cdb-timeout", "60000"},
        "", {});
    REQUIRE(process);
    LineProcess player = *std::move(process);
    REQUIRE(player.write("setup B:WK32:BK1\n0 0\n", patience));
    // Where the database may not be heard a random move breaks the circle sooner or later.
    constexpr int most_moves = 40;
    int circling_moves = 0;
    for (; circling_moves < most_moves; ++circling_moves) {
        const bool is_even = circling_moves % 2 == 0;
        std::string line;
        REQUIRE(player.read_line(line, 256, patience, is_abandoned) == LineProcess::Reading::line);
        if (line != (is_even ? "1 5" : "5 1")) break;
        REQUIRE(player.write(is_even ? "32 28\n" : "28 32\n", patience));
    }
    CHECK(circling_moves >= 2);
    CHECK(circling_moves < most_moves);
}

TEST_CASE("a session of the Hub protocol searches where the adviser would repeat a position",
          "[tools][cdb][hub]") {
    int questions = 0;
    HubSession::Parameters parameters{&core_of<English>, 1, false, {}, HintPolicy::verify, {}};
    parameters.adviser = [&](const GameRules& rules, const Position& position, double) {
        ++questions;
        const Result<Move> move = parse_move(rules, position, "1-5");
        return move ? std::optional(*move) : std::nullopt;
    };
    HubTalk talk(parameters);
    const std::string position = hub_position_line("B:W21,K32:BK1,12");
    talk.say(position);
    talk.say("level depth=2");
    talk.say("go think");
    CHECK(talk.until("done") == std::vector<std::string>{"done move=1-5"});
    talk.say(position + " moves=\"1-5 32-28 5-1 28-32\"");
    talk.say("level depth=2");
    talk.say("go think");
    CHECK(talk.until("done").size() >= 2);
    CHECK(questions == 2);
}

TEST_CASE("no time is noted for a move out of the database", "[tools][cdb][match]") {
    ScriptedDatabase server([](const HttpRequest& request) {
        return request.field("board")->starts_with("B:W21,22,23") ? "move:11-15" : "nobestmove";
    });
    std::vector<ScriptedTurn> own = quiet_turns({"8 11"});
    own[0].turn.seconds = 0.5;
    DatabasePlayer black(std::make_unique<ScriptedPlayer>(own), options_for(server.port()));
    ScriptedPlayer white(quiet_turns({"23 19"}));
    Adjudication rules;
    rules.max_plies = 3;
    CbGame game(rules_of<English>);
    const GameRecord record = referee_game(game, {black}, {white}, TimeSettings{}, rules);
    CHECK(record.comments == std::vector<std::string>{"", "0.000s", "0.500s"});
    CHECK(record.first.moves == 1);
    CHECK(record.first.seconds == Approx(0.5));
}

TEST_CASE("bad servers cost no game", "[tools][cdb][match]") {
    for (const auto& [kind, serve] : bad_servers) {
        INFO(kind);
        const BadServer server(serve);
        RemoteDatabaseOptions options = options_for(server.port());
        options.timeout = short_timeout;
        CbGame game(rules_of<English>);
        DatabasePlayer player(
            std::make_unique<ScriptedPlayer>(quiet_turns({"11 15", "22 18", "15 22"})), options);
        for (int i = 0; i < 3; ++i)
            CHECK_FALSE(player.take_turn(game, {}).fault);
        CHECK(game.last_middleware_text() == "15 22");
    }
}

TEST_CASE("a session of the Hub protocol asks the adviser before it searches",
          "[tools][cdb][hub]") {
    std::atomic<int> questions = 0;
    std::atomic<double> most = 0;
    HubSession::Parameters parameters{&core_of<English>, 1, false, {}, HintPolicy::verify, {}};
    parameters.adviser = [&](const GameRules& rules, const Position& position,
                             double most_seconds) -> std::optional<Move> {
        ++questions;
        most = most_seconds;
        const Result<Move> move = parse_move(rules, position, "10-14");
        return move ? std::optional(*move) : std::nullopt;
    };
    HubTalk talk(parameters);
    talk.say("level move-time=3600");
    talk.say("go think");
    CHECK(talk.answer("done") == "done move=10-14");
    CHECK(most == 900);
    talk.say("level time=8");
    talk.say("go think");
    CHECK(talk.answer("done") == "done move=10-14");
    CHECK(most == 2);
    CHECK(questions == 2);
    // Not where it has nothing to say about, or is not to be heard.
    for (const char* go : {"go analyze", "go think searchmoves=11-15", "go ponder"}) {
        talk.say("level depth=2");
        talk.say(go);
        if (std::string(go) == "go ponder") {
            check_goes_on(talk);
            talk.say("stop");
        }
        CHECK(talk.answer("done").starts_with("done move="));
        CHECK(questions == 2);
    }
    talk.say("level infinite");
    talk.say("go think");
    check_thinks_until_stopped(talk);
    CHECK(questions == 2);
    // Nor for a forced move.
    talk.say(hub_position_line("B:W15,30,31,32:B1,2,3,11"));
    talk.say("go think");
    CHECK(talk.answer("done").starts_with("done move="));
    CHECK(questions == 2);
    // Nothing is known: the engine thinks.
    talk.say("pos start moves=10-14");
    talk.say("level depth=2");
    talk.say("go think");
    CHECK(talk.until("done").size() >= 2);
    CHECK(questions == 3);
}

TEST_CASE("a move hinted to a session of the Hub protocol counts more than the adviser's",
          "[tools][cdb][hub][hints]") {
    std::atomic<int> questions = 0;
    HubSession::Parameters parameters{&core_of<English>, 1, false, {}, HintPolicy::trust, {}};
    parameters.adviser = [&](const GameRules& rules, const Position& position,
                             double) -> std::optional<Move> {
        ++questions;
        const Result<Move> move = parse_move(rules, position, "10-14");
        return move ? std::optional(*move) : std::nullopt;
    };
    HubTalk talk(parameters);
    const auto played = [&](const std::string& go) {
        talk.say("level depth=2");
        talk.say(go);
        return talk.answer("done");
    };
    CHECK(played("go think bookmove=12-16").starts_with("done move=12-16"));
    CHECK(played("go think egtbmove=12-16").starts_with("done move=12-16"));
    CHECK(questions == 0);
    // One that is not legal is none.
    CHECK(played("go think bookmove=21-17") == "done move=10-14");
    talk.say("set-param name=hintpolicy value=ignore");
    CHECK(played("go think bookmove=12-16") == "done move=10-14");
    CHECK(questions == 2);
}

TEST_CASE("hints are used up by a move of the adviser", "[tools][cdb][hub][hints]") {
    HubSession::Parameters parameters{&core_of<English>, 1, false, {}, HintPolicy::ignore, {}};
    std::atomic<bool> knows = true;
    parameters.adviser = [&](const GameRules& rules, const Position& position,
                             double) -> std::optional<Move> {
        const Result<Move> move = parse_move(rules, position, "11-15");
        return knows && move ? std::optional(*move) : std::nullopt;
    };
    HubTalk talk(parameters);
    talk.say("level depth=2");
    talk.say("go think bookmove=10-14");
    CHECK(talk.answer("done") == "done move=11-15");
    knows = false;
    talk.say("set-param name=hintpolicy value=trust");
    talk.say("level depth=2");
    talk.say("go think");
    CHECK_FALSE(talk.answer("done").starts_with("done move=10-14"));
}
