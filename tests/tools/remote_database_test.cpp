#include <catch2/catch.hpp>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/posdb/remote_database.hpp>

#include "scripted_database.hpp"

using namespace defiance;

namespace {

/// The move chosen in the position, as text; empty for none.
std::string chosen(RemoteDatabase& database, const GameRules& rules, const Position& position) {
    const auto move = database.choose(rules, position);
    return move ? to_text(rules, position, *move) : "";
}

std::string chosen_at_start(RemoteDatabase& database) {
    return chosen(database, rules_of<English>, rules_of<English>.start_position());
}

Result<std::optional<RemoteDatabaseOptions>> options_in(
    const std::vector<std::string_view>& words) {
    const Result<Arguments> arguments =
        Arguments::parse({remote_database_options, "", 0, 0}, words);
    REQUIRE(arguments);
    return read_database_options(*arguments);
}

}  // namespace

TEST_CASE("the options of a remote database are read", "[tools][cdb]") {
    CHECK_FALSE(*options_in({}));
    const auto usual = options_in({"--cdb", "http://localhost:8032"});
    REQUIRE((usual && *usual));
    CHECK((*usual)->url.host == "localhost");
    CHECK((*usual)->url.port == 8032);
    CHECK((*usual)->url.path == "/cdb");
    CHECK((*usual)->timeout == 0.2);
    CHECK((*usual)->min_depth == 0);
    CHECK((*usual)->action == DatabaseAction::best);
    const auto all = options_in({"--cdb", "http://[::1]/a/checkersdb.php", "--cdb-timeout", "50",
                                 "--cdb-min-depth", "7", "--cdb-action", "pv"});
    REQUIRE((all && *all));
    CHECK((*all)->url.path == "/a/checkersdb.php");
    CHECK((*all)->timeout == 0.05);
    CHECK((*all)->min_depth == 7);
    CHECK((*all)->action == DatabaseAction::pv);
    using Words = std::vector<std::string_view>;
    for (const Words& words :
         {Words{"--cdb", "localhost"}, Words{"--cdb", "https://x"}, Words{"--cdb-timeout", "5"},
          Words{"--cdb-action", "best"}, Words{"--cdb", "http://x", "--cdb-action", "good"}})
        CHECK_FALSE(options_in(words));
}

TEST_CASE("every form of an answer gives its first move", "[tools][cdb]") {
    std::string answer;
    ScriptedDatabase server([&](const HttpRequest&) { return answer; });
    RemoteDatabase database(options_for(server.port()));
    for (const auto& [text, move] : std::vector<std::pair<std::string, std::string>>{
             {"move:11-15", "11-15"},
             {std::string("move:11-15\0", 11), "11-15"},
             {"egtb:10-14\r\n", "10-14"},
             {"search:9-13", "9-13"},
             {"search:9-13|", "9-13"},
             {"score:2,depth:5,pv:12-16|23-19", "12-16"},
             {"nobestmove", ""},
             {"unknown", ""},
             {"checkmate", ""}}) {
        INFO(text);
        answer = text;
        CHECK(chosen_at_start(database) == move);
        CHECK(database.take_problem().empty());
    }
}

TEST_CASE("a position is asked about in its game and by its action", "[tools][cdb]") {
    std::vector<HttpField> asked;
    ScriptedDatabase server([&](const HttpRequest& request) {
        if (request.field("action") == "queryscore") return std::string("eval:5");
        asked = request.fields;
        return "move:" + std::string(request.path == "/cdb" ? "22-18" : "?");
    });
    const GameRules& rules = rules_of<Russian>;
    for (const auto& [action, name] :
         std::vector<std::pair<DatabaseAction, std::string>>{{DatabaseAction::best, "querybest"},
                                                             {DatabaseAction::all, "query"},
                                                             {DatabaseAction::pv, "querypv"}}) {
        RemoteDatabase database(options_for(server.port(), action));
        CHECK(chosen(database, rules, rules.start_position()) == "22-18");
        CHECK(find_field(asked, "action") == name);
        CHECK(find_field(asked, "variant") == "russian");
        CHECK(find_field(asked, "board") == to_fen(rules, rules.start_position()));
    }
}

TEST_CASE("a decided position without known plies is left to the engine", "[tools][cdb]") {
    std::string kind;
    std::string score;
    ScriptedDatabase server([&](const HttpRequest& request) {
        if (request.field("action") == "queryscore") return "eval:" + score;
        return request.field("action") == "querypv" ? "score:" + score + ",depth:1,pv:11-15"
                                                    : kind + ":11-15";
    });
    for (const std::string form : {"egtb", "move", "search"})
        for (const auto action : {DatabaseAction::best, DatabaseAction::all, DatabaseAction::pv})
            for (const auto& [value, move] : std::vector<std::pair<std::string, std::string>>{
                     {"24000", ""}, {"-24000", ""}, {"29987", "11-15"}, {"-29990", "11-15"}}) {
                INFO(form << ' ' << value);
                kind = form;
                score = value;
                RemoteDatabase database(options_for(server.port(), action));
                CHECK(chosen_at_start(database) == move);
                CHECK(database.take_problem().empty());
            }
}

TEST_CASE("a move is not played when its score cannot be had", "[tools][cdb]") {
    std::string score = "503";
    ScriptedDatabase server([&](const HttpRequest& request) {
        return request.field("action") == "queryscore" ? score : std::string("move:11-15");
    });
    RemoteDatabase database(options_for(server.port()));
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem().find("503") != std::string::npos);
    // Also when each first answer is good: it is one row of failures.
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem().empty());
    score = "unknown";
    CHECK(chosen_at_start(database) == "11-15");
}

TEST_CASE("a search decides among several candidates", "[tools][cdb]") {
    std::string answer;
    ScriptedDatabase server([&](const HttpRequest&) { return answer; });
    RemoteDatabase database(options_for(server.port()));
    for (const char* text : {"search:9-13|11-15", "search:9-13|search:11-15"}) {
        answer = text;
        CHECK(chosen_at_start(database).empty());
        CHECK(database.take_problem().empty());
    }
}

TEST_CASE("a line that is too short does not count", "[tools][cdb]") {
    ScriptedDatabase server([](const HttpRequest& request) {
        return request.field("action") == "querypv"
                   ? "score:2,depth:5,pv:11-15|23-19|8-11|22-17|4-8"
                   : "move:9-14";
    });
    for (const auto action : {DatabaseAction::best, DatabaseAction::all, DatabaseAction::pv})
        for (const int depth : {0, 5, 6}) {
            RemoteDatabaseOptions options = options_for(server.port(), action);
            options.min_depth = depth;
            RemoteDatabase database(options);
            const std::string move = action == DatabaseAction::pv ? "11-15" : "9-14";
            CHECK(chosen_at_start(database) == (depth == 6 ? "" : move));
        }
}

TEST_CASE("an answer that cannot be used is told once", "[tools][cdb]") {
    std::string answer = "move:11-18";
    ScriptedDatabase server([&](const HttpRequest&) { return answer; });
    RemoteDatabase database(options_for(server.port()));
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem().find("'11-18' is no legal move") != std::string::npos);
    for (const char* text : {"move:%s%n", "move:\xFF\xFE", "search:|||", "503"}) {
        answer = text;
        CHECK(chosen_at_start(database).empty());
        CHECK(database.take_problem().empty());
    }
    answer = "move:11-15";
    CHECK(chosen_at_start(database) == "11-15");
    answer = "503";
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem().find("503") != std::string::npos);
}

TEST_CASE("an answer in none of the known forms is told once", "[tools][cdb]") {
    std::string answer;
    ScriptedDatabase server([&](const HttpRequest&) { return answer; });
    for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
             {"<!DOCTYPE html>\n<title>", "the server answers: <!DOCTYPE html>?<title>"},
             {"rate limit exceeded", "the server answers: rate limit exceeded"},
             {"invalid board", "the server answers: invalid board"},
             {"move:", "the server answers: move:"},
             {"move", "the server answers: move"},
             {"", "the server answers nothing"}}) {
        for (const auto action : {DatabaseAction::best, DatabaseAction::pv}) {
            INFO(text);
            RemoteDatabase database(options_for(server.port(), action));
            // Again after each good answer.
            for (const char* good : {"unknown", "nobestmove", "score:2,depth:1,pv:11-15"}) {
                answer = text;
                CHECK(chosen_at_start(database).empty());
                CHECK(database.take_problem() == "position database: " + problem);
                CHECK(chosen_at_start(database).empty());
                CHECK(database.take_problem().empty());
                answer = good;
                static_cast<void>(chosen_at_start(database));
                CHECK(database.take_problem().empty());
            }
        }
    }
}

TEST_CASE("what a server says when it refuses is told", "[tools][cdb]") {
    const std::string text =
        "403 Forbidden: this server is not known as 'headnode'; start it with --host-name headnode";
    ScriptedDatabase server([&](const HttpRequest&) { return text + '\n'; });
    RemoteDatabase database(options_for(server.port()));
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem() == "position database: the server answers " + text);
}

TEST_CASE("a bad server costs no more than the timeout", "[tools][cdb]") {
    for (const auto& [kind, serve] : bad_servers) {
        INFO(kind);
        const BadServer server(serve);
        RemoteDatabaseOptions options = options_for(server.port());
        options.timeout = short_timeout;
        RemoteDatabase database(options);
        const Stopwatch stopwatch;
        CHECK(chosen_at_start(database).empty());
        // Generous, for machines that do much else.
        CHECK(stopwatch.seconds() < short_timeout + patience);
        CHECK(database.take_problem().starts_with("position database: "));
    }
}

TEST_CASE("a server that does not answer is left alone for a while", "[tools][cdb]") {
    std::atomic<int> connections = 0;
    const BadServer server([&](Socket&, const std::atomic<bool>&) { ++connections; });
    RemoteDatabase database(options_for(server.port()));
    for (int i = 0; i < 5; ++i)
        CHECK(chosen_at_start(database).empty());
    CHECK(connections <= 1);
}

TEST_CASE("the time of a move bounds the question", "[tools][cdb]") {
    const BadServer server(bad_servers[0].second);
    RemoteDatabase database(options_for(server.port()));
    const Position start = rules_of<English>.start_position();
    CHECK_FALSE(database.choose(rules_of<English>, start, 0.05));
    CHECK_FALSE(database.take_problem().empty());
}
