// What the position database answers to requests that are odd in one way or another, and to what
// its original answers likewise.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tools/http/client.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/write_token.hpp>

#include "service_support.hpp"

using namespace defiance;
using defiance::testing::english;
using defiance::testing::first_position;
using defiance::testing::Served;
using defiance::testing::test_secret;
using defiance::testing::TestService;

namespace {

/// Adds a position all moves of which have the score, and so many plies of what they lead to.
void add_even_tree(TestService& service, const Position& position, int plies, int score) {
    service.add(english(), position, KnownPosition::max_ply_from_start, score, 1);
    if (plies == 0) return;
    for (const CanonicalMove& move : canonical_moves(english().rules, position))
        add_even_tree(service, move.after, plies - 1, -score);
}

bool has_part(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

HttpRequest post_to(const std::string& path, const std::string& body = "") {
    HttpRequest request = TestService::request("");
    request.method = HttpRequest::Method::post;
    request.path = path;
    request.body = body;
    return request;
}

}  // namespace

TEST_CASE("moves are suggested of a position that looks bad, not of one that looks lost",
          "[posdb]") {
    const GameRules& rules = english().rules;
    TestService bad;
    add_even_tree(bad, first_position(), 2, -45);
    CHECK_FALSE(has_part(bad.ask("queryall", rules, "startpos"), ",rank:0,"));
    for (const std::string action : {"querybest", "query"})
        CHECK(bad.ask(action, rules, "startpos").starts_with("move:"));
    CHECK(bad.ask("querysearch", rules, "startpos").starts_with("search:"));

    TestService lost;
    add_even_tree(lost, first_position(), 2, -60);
    CHECK(lost.ask("queryscore", rules, "startpos") == "eval:-60");
    const std::string all = lost.ask("queryall", rules, "startpos");
    CHECK(has_part(all, ",score:-60,rank:0,note:? ("));
    CHECK_FALSE(has_part(all, ",rank:1,"));
    CHECK_FALSE(has_part(all, ",rank:2,"));
    for (const std::string action : {"querybest", "query", "querysearch"})
        CHECK(lost.ask(action, rules, "startpos") == "nobestmove");
    // It can still be searched on, after its best moves.
    REQUIRE(lost.waiting() == 0);
    CHECK(lost.ask("queue", rules, "startpos") == "ok");
    CHECK(lost.waiting() > 0);
}

TEST_CASE("what is no move in a list of banned ones does not end it", "[posdb]") {
    TestService service;
    service.add_tree(english(), first_position(), 2, 0, 3);
    const auto moves = named_moves(english().rules, first_position());
    std::string list;
    for (int i = 0; i < 20; ++i)
        list += "1-32||move:x|";
    for (std::size_t i = 1; i < moves.size(); ++i)
        list += "move:" + moves[i].name + '|' + moves[i].name + '|';
    for (const std::string action : {"querybest", "query", "querysearch"})
        CHECK(service.ask(action, english().rules, "startpos", "&ban=" + list) ==
              "move:" + moves.front().name);
    list += moves.front().name;
    CHECK(service.ask("querybest", english().rules, "startpos", "&ban=" + list) == "nobestmove");
}

TEST_CASE("every capture is told with its paths", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const std::string more = "&json=1&showall=1";
    CHECK(
        has_part(service.ask("queryall", rules, "B:W6,K32:BK1", more), "\"captures\":[\"1x10\"],"));
    CHECK(has_part(service.ask("queryall", rules, "B:W6,7,14,15:BK2", more),
                   "\"captures\":[\"2x9x18x11x2\",\"2x11x18x9x2\"],"));
    CHECK_FALSE(has_part(service.ask("queryall", rules, "startpos", more), "captures"));
}

TEST_CASE("texts end as those of the original where a board was given", "[posdb]") {
    ServiceOptions options;
    options.ends_with_nul = true;
    TestService compatible(options);
    TestService plain;
    for (const auto& [query, has_board] : std::vector<std::pair<std::string, bool>>{
             {"action=queryscore&board=startpos", true},
             {"action=queryscore&board=x", true},
             {"action=nothing&board=startpos", true},
             {"action=queryinfo&board=startpos", true},
             {"action=queryscore&board=", false},
             {"action=queryscore", false},
             {"action=queryinfo", false},
             {"action=queryscore&board=startpos&json=1", false},
             {"action=ackqueue&board=startpos", false}}) {
        INFO(query);
        const HttpRequest request = TestService::request(query);
        CHECK(compatible.service().handle(request).body.ends_with('\0') == has_board);
        CHECK(compatible.service().refuse(request).body.ends_with('\0') == has_board);
        CHECK_FALSE(plain.service().handle(request).body.ends_with('\0'));
        CHECK_FALSE(plain.service().refuse(request).body.ends_with('\0'));
    }
}

TEST_CASE("an action that is empty is none there is, and none at all asks for nothing", "[posdb]") {
    TestService service;
    CHECK(service.ask("").empty());
    CHECK(service.ask("board=startpos").empty());
    CHECK(service.ask("action=") == "invalid parameters");
    CHECK(service.ask("action=&board=startpos") == "invalid parameters");
    CHECK(service.ask("action=&json=1") == "{\"status\":\"invalid parameters\"}");
}

TEST_CASE("who sends a body that is not read is told so", "[posdb][http]") {
    TestService service;
    const std::string parts =
        "--x\r\nContent-Disposition: form-data; name=\"action\"\r\n\r\nqueryinfo\r\n--x--\r\n";
    HttpRequest request = post_to("/cdb", parts);
    const auto handle = [&] { return service.service().handle(request); };
    CHECK(handle().status == 415);
    request.headers = {{"content-type", "multipart/form-data; boundary=x"}};
    CHECK(handle().status == 415);
    CHECK(handle().type.starts_with("text/plain"));
    CHECK(has_part(handle().body, "application/x-www-form-urlencoded"));
    // An action in the line of the request says what is wanted.
    request.fields = {{"action", "queryscore"}, {"board", "startpos"}};
    CHECK(handle().status == 200);
    CHECK(handle().body == "unknown");
    request.fields = {{"batch", "1"}};
    CHECK(handle().body == "{\"status\":\"invalid parameters\"}");
    request.fields = {};
    request.body.clear();
    CHECK(handle().status == 200);
    CHECK(handle().body.empty());
    request.headers = {{"content-type", "Application/X-WWW-Form-Urlencoded ; charset=utf-8"}};
    request.body = "board=startpos";
    CHECK(handle().status == 200);
    CHECK(handle().body.empty());

    Served served;
    HttpClient client("127.0.0.1", served.server->port());
    CHECK(client.post("/cdb", parts, 10, "multipart/form-data; boundary=x")->status == 415);
    CHECK(client.post("/cdb", "action=queryinfo", 10)->status == 200);
}

TEST_CASE("what can only be read tells so, and what is not there is not found", "[posdb][http]") {
    ServiceOptions options;
    options.secret_path = "/somewhere/secret.txt";
    TestService service(options);
    using Paths = std::vector<std::string>;
    for (const std::string& path : Paths{"/", "/index.html", "/page.js", "/healthz", "/metrics",
                                         std::string(secret_path_page)}) {
        INFO(path);
        const HttpResponse response = service.service().handle(post_to(path, "x"));
        CHECK(response.status == 405);
        CHECK(find_field(response.headers, "Allow") == "GET, HEAD");
        CHECK(response.headers.size() == 1);
        CHECK_FALSE(has_part(response.body, "secret"));
    }
    CHECK(service.service().handle(post_to("/nothing")).status == 404);
    // The page with the file of the secret is not there for others.
    TestService without;
    CHECK(without.service().handle(post_to(std::string(secret_path_page))).status == 404);
}

TEST_CASE("the signs for a space mean one in the lines of a batch too", "[posdb]") {
    TestService service;
    service.add_tree(english(), first_position(), 1, 0);
    HttpRequest request = TestService::request("action=queryscore&batch=1");
    request.method = HttpRequest::Method::post;
    request.body = "startpos moves 9-13\nstartpos_moves_9-13\nstartpos+moves+9-13\n";
    std::istringstream lines(service.service().handle(request).body);
    std::string first;
    REQUIRE(std::getline(lines, first));
    CHECK(first.starts_with("{\"status\":\"ok\""));
    int others = 0;
    for (std::string line; std::getline(lines, line); ++others)
        CHECK(line == first);
    CHECK(others == 2);
}

TEST_CASE("moves of a request are read in every form of the original", "[posdb]") {
    TestService service;
    const GameRules& russian = find_game("russian")->rules;
    for (const std::string move :
         {"move:a3b4", "a3b4", "A3b4", "move:a3-b4", "a3-b4", "move:21-17"}) {
        INFO(move);
        CHECK(parse_board(russian, "startpos moves " + move) ==
              parse_board(russian, "startpos moves a3-b4"));
        CHECK(service.ask("store", russian, "startpos", "&move=" + move) == "ok");
    }
    CHECK(parse_board(russian, "W:Wc3,h2:Bd4,f6,h8 moves move:c3e5g7") ==
          parse_board(russian, "W:Wc3,h2:Bd4,f6,h8 moves c3:e5:g7"));
    CHECK(parse_board(english().rules, "startpos moves move:11-15 move:23-18") ==
          parse_board(english().rules, "startpos moves 11-15 23-18"));
    for (const std::string move : {"a3", "a3b", "a3b9", "a3b4c", "3b4a", "move:move:a3b4"})
        CHECK_FALSE(parse_board(russian, "startpos moves " + move));
    CHECK_FALSE(parse_board(english().rules, "startpos moves a3b4"));
}

TEST_CASE("who names no clear move to store is told so", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const std::string two_ways = "B:W6,7,14,15,32:B2";
    CHECK(service.ask("store", rules, two_ways, "&move=2x18") == "invalid move");
    CHECK(service.ask("store", rules, two_ways, "&move=2x18&json=1") ==
          "{\"status\":\"invalid move\",\"message\":\"'2x18' fits more than one capture\"}");
    CHECK(service.ask("store", rules, "startpos", "&move=9-14x") == "invalid move");
    CHECK(service.ask("store", rules, "startpos", "&move=1-32") == "invalid move");
    CHECK(service.waiting() == 0);
}

TEST_CASE("a score that is not stored for a better one is answered with nothing", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const WriteSecret secret{std::string(test_secret)};
    const auto send = [&](const std::string& score, const std::string& depth) {
        const std::string token = secret.token(
            {"store", "english", to_fen(rules, first_position()), "11-15", score, depth, "n"});
        return service.ask(
            "store", rules, "startpos",
            "&move=11-15&nonce=n&score=" + score + "&depth=" + depth + "&token=" + token);
    };
    CHECK(send("30", "14") == "ok");
    // Sent again, as after an answer that was lost.
    CHECK(send("30", "14") == "ok");
    CHECK(send("31", "14").empty());
    CHECK(send("40", "9").empty());
    CHECK(service.ask("queryscore", rules, "startpos") == "eval:30");
    CHECK(send("7", "15") == "ok");
    CHECK(service.ask("queryscore", rules, "startpos") == "eval:7");
}

TEST_CASE("every answer about a position has it", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const auto has_position = [&](const std::string& board, const std::string& more = "") {
        const std::string fen = to_fen(rules, *parse_board(rules, board));
        for (const std::string action :
             {"queryall", "queryscore", "querypv", "querybest", "query", "querysearch"}) {
            INFO(action << ' ' << board);
            const std::string answer = service.ask(action, rules, board, "&json=1" + more);
            CHECK(answer.ends_with(",\"fen\":\"" + fen + "\"}"));
            CHECK(defiance::testing::JsonCheck::is_valid(answer));
        }
    };
    has_position("startpos");
    service.add_tree(english(), first_position(), 2, 0, 3);
    has_position("startpos");
    has_position("startpos moves 9-13");
    has_position("B:W18,32:BK1");
    has_position("W:WK1:BK32,K6", "&learn=1");
}

TEST_CASE("the first move shown is the first one of the best line", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    // Of equal moves the one whose position is known is the third; its replies are many.
    const auto moves = canonical_moves(rules, first_position());
    service.add(english(), first_position(), 0, 0, 1);
    service.add(english(), moves[2].after, 1, 0, 1);
    const auto name_of_move = [&](const Position& after) {
        const auto named = named_moves(rules, first_position());
        return std::find_if(named.begin(), named.end(),
                            [&](const NamedMove& move) { return move.after == after; })
            ->name;
    };
    const std::string name = name_of_move(moves[2].after);
    CHECK(service.ask("queryall", rules, "startpos").starts_with("move:" + name + ','));
    CHECK(has_part(service.ask("querypv", rules, "startpos"), ",depth:2,pv:" + name + '|'));
}

TEST_CASE("a depth is told where the score counts to the end of the game", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const std::string usual = service.ask("queryall", rules, "W:WK1,K2:BK32", "&json=1");
    CHECK(has_part(usual, "\"score\":299"));
    for (const std::string metric : {"dtz", "dtc", "mtc", "dtm"})
        CHECK(service.ask("queryall", rules, "W:WK1,K2:BK32", "&json=1&egtbmetric=" + metric) ==
              usual);
}
