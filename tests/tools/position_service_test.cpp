#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tools/posdb/recent_successors.hpp>

#include "service_support.hpp"
#include "wrapped_store.hpp"

using namespace defiance;
using defiance::testing::after_first;
using defiance::testing::english;
using defiance::testing::first_position;
using defiance::testing::JsonCheck;
using defiance::testing::test_secret;
using defiance::testing::TestService;

namespace {

/// A store whose positions can be read only so many times; then a file is damaged.
class FadingStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    int reads_left = 0;

    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override {
        if (reads_left == 0) return Error{"the file '/home/somebody/x' is damaged"};
        --reads_left;
        return WrappedStore::get_many(game, keys);
    }
};

}  // namespace

TEST_CASE("moves are suggested when enough is known", "[posdb]") {
    TestService service;
    service.add(english(), first_position(), 0, 0, 3);
    CHECK(service.ask("querybest", english().rules, "startpos") == "nobestmove");
    service.add_tree(english(), first_position(), 2, 0, 3);
    std::set<std::string> best;
    std::set<std::string> good;
    for (int i = 0; i < 60; ++i) {
        best.insert(service.ask("querybest", english().rules, "startpos"));
        good.insert(service.ask("query", english().rules, "startpos"));
    }
    std::string listed = service.ask("querysearch", english().rules, "startpos");
    CHECK(std::includes(good.begin(), good.end(), best.begin(), best.end()));
    CHECK(best.count("nobestmove") == 0);
    for (const std::string& move : good)
        CHECK(listed.find(move.substr(move.find(':'))) != std::string::npos);
    const std::string one = *best.begin();
    CHECK(service.ask("querybest", english().rules, "startpos", "&ban=" + one) != one);
    CHECK(service.ask("querybest", english().rules, "startpos", "&json=1")
              .starts_with("{\"status\":\"ok\",\"move\":\""));
    // A position with one legal move needs no knowledge of others.
    const std::string forced = "B:W6,K32:BK1";
    const auto position = parse_fen(english().rules, forced);
    service.add(english(), *position, 255);
    CHECK(service.ask("querybest", english().rules, forced).find(":1x10") != std::string::npos);
}

TEST_CASE("a position that somebody steps into is learned", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    service.add(english(), first_position(), 0);
    CHECK(service.ask("queryall", rules, "startpos moves 11-15") == "unknown");
    CHECK(service.waiting() == 0);
    CHECK(service.ask("queryall", rules, "startpos") != "unknown");
    CHECK(service.ask("queryall", rules, "startpos moves 11-15", "&learn=0") == "unknown");
    CHECK(service.waiting() == 0);
    CHECK(service.ask("queryscore", rules, "startpos moves 11-15") == "unknown");
    CHECK(service.waiting() == 1);
    const auto lease = service.store().lease(1, 60);
    REQUIRE(lease);
    CHECK(lease->front().task.key == key_of_board(after_first("11-15")));
    CHECK(lease->front().task.priority == wanted_priority);
    CHECK(decode_note(lease->front().task.note) == TaskNote{1, key_of_board(first_position())});
    // Somebody elsewhere may not have it learned, and is told so.
    const HttpResponse elsewhere = service.service().handle(
        TestService::request("action=queryall&board=startpos+moves+9-13&json=1&learn=1", false));
    CHECK(elsewhere.body.find("\"learned\":false") != std::string::npos);
    CHECK(service.waiting() == 0);
}

TEST_CASE("successors are forgotten after their time", "[posdb]") {
    RecentSuccessors successors;
    const RecentSuccessors::Clock::time_point now{};
    const Origin origin = {{1, 2, 0}, 7};
    const std::array keys = {PositionKey{3, 4, 0}, PositionKey{5, 6, 0}};
    successors.remember(StoreGame::czech, keys, origin, now);
    CHECK(successors.size() == 2);
    CHECK_FALSE(successors.take(StoreGame::english, {3, 4, 0}, now));
    const auto taken = successors.take(StoreGame::czech, {3, 4, 0}, now);
    REQUIRE(taken);
    CHECK(taken->parent == origin.parent);
    CHECK(taken->ply == 7);
    CHECK_FALSE(successors.take(StoreGame::czech, {3, 4, 0}, now));
    successors.remember(StoreGame::czech, keys, origin, now);
    CHECK_FALSE(successors.take(StoreGame::czech, {3, 4, 0}, now + RecentSuccessors::lifetime));
    for (std::uint32_t i = 0; i < RecentSuccessors::max_positions + 10; ++i)
        successors.remember(StoreGame::czech, std::array{PositionKey{i, ~i, 0}}, origin, now);
    CHECK(successors.size() <= RecentSuccessors::max_positions);
}

TEST_CASE("the queue gets a position, or what good moves lead to", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    CHECK(service.ask("queue", rules, "startpos") == "ok");
    CHECK(service.waiting() == 1);
    CHECK(service.ask("queue", rules, "startpos", "&json=1") == "{\"status\":\"ok\"}");
    CHECK(service.waiting() == 1);
    auto lease = service.store().lease(5, 60);
    REQUIRE(lease);
    CHECK(lease->front().task.key == key_of_board(first_position()));
    CHECK(decode_note(lease->front().task.note) == TaskNote{0, {}});
    REQUIRE(*service.store().complete(lease->front().id));
    service.add(english(), first_position(), 0);
    CHECK(service.ask("queue", rules, "startpos") == "ok");
    lease = service.store().lease(5, 60);
    REQUIRE(lease);
    REQUIRE_FALSE(lease->empty());
    const auto note = decode_note(lease->front().task.note);
    CHECK(note == TaskNote{1, key_of_board(first_position())});
    CHECK(service.ask("queue", rules, "W:WK1:BK32,K31").empty());
    CHECK(service.ask("queue", rules, "W:W:B1").empty());
    CHECK(service.ask("queue", rules, "W:W:B1", "&json=1") == "{}");
}

TEST_CASE("a position with some of its scores is queued until it has all", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const auto add_score = [&](const Position& position, std::uint8_t index) {
        const KnownMove move = {index, 5, 9, ScoreSource::search};
        REQUIRE_FALSE(service.database_of(english()).add(position, {&move, 1}, 255, {}));
    };
    const auto take_tasks = [&] {
        std::vector<PositionKey> keys;
        const auto leases = service.store().lease(10, 60);
        REQUIRE(leases);
        for (const TaskLease& lease : *leases) {
            keys.push_back(lease.task.key);
            REQUIRE(*service.store().complete(lease.id));
        }
        return keys;
    };
    // Also what its known move leads to.
    add_score(first_position(), 0);
    CHECK(service.ask("queue", rules, "startpos") == "ok");
    const Position next = canonical_moves(rules, first_position())[0].after;
    CHECK(take_tasks() == std::vector{key_of_board(first_position()), key_of_board(next)});
    service.add(english(), first_position(), 0);
    CHECK(service.ask("queue", rules, "startpos") == "ok");
    const auto keys = take_tasks();
    CHECK(std::find(keys.begin(), keys.end(), key_of_board(first_position())) == keys.end());

    const PositionKey child = key_of_board(after_first("9-13"));
    add_score(after_first("9-13"), 0);
    CHECK(service.ask("store", rules, "startpos", "&move=9-13") == "ok");
    CHECK(take_tasks() == std::vector{child});
    CHECK(service.ask("queryall", rules, "startpos").starts_with("move:"));
    CHECK(service.ask("queryscore", rules, "startpos moves 9-13") == "eval:5");
    CHECK(take_tasks() == std::vector{child});
    service.add(english(), after_first("9-13"), 1);
    CHECK(service.ask("store", rules, "startpos", "&move=9-13").empty());
    CHECK(service.ask("queryall", rules, "startpos").starts_with("move:"));
    CHECK(service.ask("queryscore", rules, "startpos moves 9-13").starts_with("eval:"));
    CHECK(take_tasks().empty());
}

TEST_CASE("scores are stored with a token only", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const WriteSecret secret{std::string(test_secret)};
    const std::string fen = to_fen(rules, first_position());
    const auto send = [&](const std::string& score, const std::string& signed_score) {
        const std::string token =
            secret.token({"store", "english", fen, "11-15", signed_score, "14", "n"});
        return service.ask("store", rules, "startpos",
                           "&move=11-15&depth=14&nonce=n&score=" + score + "&token=" + token);
    };
    CHECK(send("31", "30") == "tokenerror");
    CHECK(service.ask("queryscore", rules, "startpos") == "unknown");
    CHECK(send("31", "31") == "ok");
    CHECK(service.ask("queryscore", rules, "startpos") == "eval:31");
    CHECK(send("99999", "99999") == "invalid parameters");
    CHECK(service.ask("store", rules, "startpos") == "invalid parameters");
    CHECK(service.ask("store", rules, "startpos", "&move=&json=1") ==
          "{\"status\":\"invalid parameters\"}");
    CHECK(service.ask("store", rules, "startpos", "&move=9-13") == "ok");
    CHECK(service.ask("store", rules, "startpos", "&move=9-14x") == "invalid move");
    service.add(english(), after_first("9-13"), 1);
    CHECK(service.ask("store", rules, "startpos", "&move=9-13").empty());
    service.add(english(), first_position(), 0);
    CHECK(service.ask("queryall", rules, "startpos").find("move:11-15,score:31,") !=
          std::string::npos);
}

TEST_CASE("no score is stored of a move whose worth is known better", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const WriteSecret secret{std::string(test_secret)};
    const auto send = [&](const std::string& board, const std::string& move) {
        const auto position = parse_fen(rules, board);
        REQUIRE(position);
        const std::string token =
            secret.token({"store", "english", to_fen(rules, *position), move, "5", "9", "n"});
        return service.ask("store", rules, board,
                           "&move=" + move + "&depth=9&nonce=n&score=5&token=" + token);
    };
    // The endgame databases know the position after it.
    const std::string fen = "W:WK18,27,12:BK20,15,8,6";
    CHECK(send(fen, "18x11x4").empty());
    CHECK(service.ask("queryscore", rules, fen) == "unknown");
    // All moves of the position after it have scores.
    const std::string start = to_fen(rules, first_position());
    CHECK(send(start, "11-15") == "ok");
    service.add(english(), after_first("9-13"), 1);
    CHECK(send(start, "9-13").empty());
    // A wrong token is told of all the same.
    for (const auto& [board, move] : {std::pair(fen, "18x11x4"), {start, "9-13"}, {start, "9-14x"}})
        CHECK(service.ask("store", rules, board,
                          "&depth=9&nonce=n&score=5&token=00&move=" + std::string(move)) ==
              "tokenerror");
}

TEST_CASE("the plies of an endgame are told where the databases lead to them", "[posdb]") {
    TestService service;
    const GameRules& rules = find_game("russian")->rules;
    const std::string lost = "W:W31,K3:BK2,K9,K11";
    CHECK(service.ask("queryscore", rules, lost) == "eval:-29972");
    CHECK(service.ask("querypv", rules, lost).starts_with("score:-29972,depth:28,pv:3-10|"));
    const std::string all = service.ask("queryall", rules, lost);
    CHECK(all.starts_with("move:3-10,score:-29972,rank:2,note:! (L-0028)"));
    CHECK(all.find("????") == std::string::npos);
}

TEST_CASE("a line ends where nobody knows how far the end is", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const std::string answer = service.ask("querypv", rules, "W:W28,K7:BK8,K5,K19");
    CHECK(answer.starts_with("score:-24000,depth:1,pv:"));
    CHECK(answer.find('|') == std::string::npos);
}

TEST_CASE("a position reached by a capture tells those before it", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const auto before = parse_fen(rules, "B:W18,30,31,32:B15,2,3,4");
    REQUIRE(before);
    const auto moves = named_moves(rules, *before);
    REQUIRE(moves.size() == 1);
    service.add(english(), *before, 255);
    service.add(english(), moves[0].after, 255, 300);
    const auto known = service.database_of(english()).find(moves[0].after);
    const std::string wanted = "eval:" + std::to_string(-(*known)->best());
    CHECK(service.ask("queryscore", rules, to_fen(rules, *before)) == wanted);
}

TEST_CASE("many boards are asked at once", "[posdb]") {
    TestService service;
    service.add_tree(english(), first_position(), 1, 0);
    HttpRequest request = TestService::request("action=queryscore&batch=1");
    request.method = HttpRequest::Method::post;
    request.body = "startpos\r\nnothing\n\nstartpos moves 9-13\n";
    const HttpResponse response = service.service().handle(request);
    CHECK(response.type == "application/x-ndjson");
    std::vector<std::string> lines;
    std::istringstream text(response.body);
    for (std::string line; std::getline(text, line);) {
        CHECK(JsonCheck::is_valid(line));
        lines.push_back(line.substr(0, line.find(',')));
    }
    CHECK(lines == std::vector<std::string>{"{\"status\":\"ok\"", "{\"status\":\"invalid board\"}",
                                            "{\"status\":\"invalid parameters\"}",
                                            "{\"status\":\"ok\""});
    for (int i = 0; i < 256; ++i)
        request.body += "startpos\n";
    CHECK(service.service().handle(request).body == "{\"status\":\"invalid parameters\"}");
    request.body = "startpos";
    request.fields.front().value = "queue";
    CHECK(service.service().handle(request).body == "{\"status\":\"invalid parameters\"}");
}

TEST_CASE("only programs on the machine are told what is wrong with the store", "[posdb]") {
    TestService filled;
    filled.add_tree(english(), first_position(), 1, 0, 3);
    FadingStore store(filled.store());
    const GameEndgames no_endgames{};
    PositionService service(store, no_endgames, {});
    int failures = 0;
    const auto answer = [&](const HttpRequest& request, int reads) {
        store.reads_left = reads;
        const HttpResponse response = service.handle(request);
        CHECK(store.reads_left == 0);
        CHECK(response.status == 503);
        ++failures;
        return response.body;
    };
    // What a query reads first, and what it reads after that to suggest a move or show a line.
    for (const auto& [action, reads] : std::vector<std::pair<std::string, int>>{
             {"queryall", 0}, {"querybest", 1}, {"query", 1}, {"querysearch", 1}, {"querypv", 1}}) {
        INFO(action);
        const std::string query = "action=" + action + "&board=startpos";
        CHECK(answer(TestService::request(query), reads) ==
              "Error: the file '/home/somebody/x' is damaged");
        const std::string hidden = "Error: the store does not answer";
        CHECK(answer(TestService::request(query, false), reads) == hidden);
        for (const auto& [name, value] :
             std::vector<std::pair<std::string, std::string>>{{"x-forwarded-for", "192.0.2.1"},
                                                              {"forwarded", "for=192.0.2.1"},
                                                              {"via", "1.1 somewhere"},
                                                              {"origin", "https://example.org"}}) {
            HttpRequest passed_on = TestService::request(query);
            passed_on.headers.push_back({name, value});
            CHECK(answer(passed_on, reads) == hidden);
        }
    }
    HttpRequest metrics = TestService::request("");
    metrics.path = "/metrics";
    CHECK(service.handle(metrics).body.find("\ndefiance_store_failures_total " +
                                            std::to_string(failures) + '\n') != std::string::npos);
}

TEST_CASE("the page is never refused for too many requests, and what is no API with a status",
          "[posdb]") {
    TestService service;
    HttpRequest request = TestService::request("action=queryall&board=startpos");
    CHECK(service.service().is_limited(request));
    CHECK(service.service().refuse(request).status == 200);
    for (const char* path : {"/", "/page.js", "/page.css", "/icon.svg"}) {
        request.path = path;
        CHECK_FALSE(service.service().is_limited(request));
    }
    for (const char* path : {"/healthz", "/metrics", "/nothing"}) {
        request.path = path;
        CHECK(service.service().is_limited(request));
        CHECK(service.service().refuse(request).status == 429);
    }
}

TEST_CASE("requests that ask for nothing are answered as by the original", "[posdb]") {
    ServiceOptions options;
    options.ends_with_nul = true;
    TestService service(options);
    const auto& rules = english().rules;
    CHECK(service.ask("").empty());
    CHECK(service.ask("json=1") == "{\"status\":\"invalid parameters\"}");
    CHECK(service.ask("action=nothing") == "invalid parameters");
    CHECK(service.ask("action=") == "invalid parameters");
    CHECK(service.ask("action=queryall") == "invalid parameters");
    CHECK(service.ask("action=queryall&board=startpos&variant=chess&json=on") ==
          "{\"status\":\"invalid parameters\"}");
    CHECK(service.ask("queryall", rules, "B:W1:B2") == std::string("invalid board") + '\0');
    CHECK(service.ask("action=queryall&variant=25&board=w:wa1:bh8") ==
          service.ask("action=queryall&variant=Russian&board=W:Wa1:Bh8"));
    CHECK(service.ask("action=queryscore&board=startpos_moves_9-13") ==
          service.ask("action=queryscore&board=startpos+moves+9-13"));
    HttpRequest refused = TestService::request("json=1");
    CHECK(service.service().refuse(refused).body == "{\"status\":\"rate limit exceeded\"}");
    CHECK(service.service().refuse(refused).status == 200);
    refused.path = "/nothing";
    CHECK(service.service().handle(refused).status == 404);
    refused.path = "/";
    CHECK(service.service().handle(refused).status == 200);
    refused.method = HttpRequest::Method::post;
    CHECK(service.service().handle(refused).status == 405);
}
