// Players that are told moves by a position database.

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/rules/move_text.hpp>
#include <tools/match/database_player.hpp>

#include "hub_talk.hpp"
#include "scripted_database.hpp"
#include "scripted_player.hpp"

using namespace defiance;

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
    // Nothing is known: the engine thinks.
    talk.say("pos start moves=10-14");
    talk.say("level depth=2");
    talk.say("go think");
    CHECK(talk.until("done").size() >= 2);
    CHECK(questions == 3);
}
