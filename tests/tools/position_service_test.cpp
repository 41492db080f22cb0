#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tools/http/client.hpp>
#include <tools/posdb/http_job_source.hpp>
#include <tools/posdb/json_writer.hpp>
#include <tools/posdb/recent_successors.hpp>
#include <tools/posdb/scored_moves_text.hpp>
#include <tools/posdb/sha256.hpp>

#include "service_support.hpp"

using namespace defiance;
using defiance::testing::english;
using defiance::testing::JsonCheck;
using defiance::testing::pool_options;
using defiance::testing::Served;
using defiance::testing::test_secret;
using defiance::testing::TestService;
using defiance::testing::wait_until;

namespace {

Position start() {
    return english().rules.start_position();
}

/// The position after a move from the start.
Position after(const std::string& name) {
    const auto moves = named_moves(english().rules, start());
    const auto index = find_move(english().rules, start(), moves, name);
    REQUIRE(index);
    return moves[*index].after;
}

/// The service with a NUL byte behind everything.
class NulEverywhere : public HttpHandler {
public:
    explicit NulEverywhere(PositionService& service) : service_(service) {}
    HttpResponse handle(const HttpRequest& request) override {
        HttpResponse response = service_.handle(request);
        response.body += '\0';
        return response;
    }

private:
    PositionService& service_;
};

}  // namespace

TEST_CASE("SHA-256 and HMAC give what their standards say", "[posdb]") {
    CHECK(to_hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(to_hex(sha256("abc")) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(to_hex(sha256(std::string(1000000, 'a'))) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK(to_hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(to_hex(hmac_sha256(std::string(131, '\xaa'),
                             "Test Using Larger Than Block-Size Key - Hash Key First")) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    CHECK(equal_in_constant_time("abc", "abc"));
    CHECK_FALSE(equal_in_constant_time("abc", "abd"));
    CHECK_FALSE(equal_in_constant_time("abc", "ab"));
    CHECK(from_hex(to_hex(std::string("\0\xFFz", 3))) == std::string("\0\xFFz", 3));
    CHECK_FALSE(from_hex("0"));
    CHECK_FALSE(from_hex("0g"));
}

TEST_CASE("JSON texts are escaped", "[posdb]") {
    JsonWriter json;
    json.begin_object();
    json.member("a\"\\\n\xFF", "\x01/");
    json.key("b");
    json.begin_array();
    json.value(-3);
    json.boolean(false);
    json.end_array();
    json.end_object();
    CHECK(json.take() == "{\"a\\\"\\\\\\u000a\\u00ff\":\"\\u0001/\",\"b\":[-3,false]}");
}

TEST_CASE("the secret is made once and only the user can read it", "[posdb]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/secret.txt";
    const auto made = WriteSecret::open(path);
    REQUIRE(made);
    const auto again = WriteSecret::open(path);
    REQUIRE(again);
    CHECK(made->token({"a", "b"}) == again->token({"a", "b"}));
    CHECK(made->token({"a", "b"}) != again->token({"a", "c"}));
#ifndef _WIN32
    const auto rights = std::filesystem::status(path).permissions();
    CHECK((rights & std::filesystem::perms::mask) ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
#endif
    folder.write("short.txt", "too short");
    CHECK_FALSE(WriteSecret::open(folder.path() + "/short.txt"));
    CHECK_FALSE(WriteSecret().accepts("", {}));
    CHECK(is_recent("1000", 1300));
    CHECK_FALSE(is_recent("1000", 1301));
    CHECK_FALSE(is_recent("", 1301));
}

TEST_CASE("moves are suggested when enough is known", "[posdb]") {
    TestService service;
    service.add(english(), start(), 0, 0, 3);
    CHECK(service.ask("querybest", english().rules, "startpos") == "nobestmove");
    service.add_tree(english(), start(), 2, 0, 3);
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
    service.add(english(), start(), 0);
    CHECK(service.ask("queryall", rules, "startpos moves 11-15") == "unknown");
    CHECK(service.waiting() == 0);
    CHECK(service.ask("queryall", rules, "startpos") != "unknown");
    CHECK(service.ask("queryall", rules, "startpos moves 11-15", "&learn=0") == "unknown");
    CHECK(service.waiting() == 0);
    CHECK(service.ask("queryscore", rules, "startpos moves 11-15") == "unknown");
    CHECK(service.waiting() == 1);
    const auto lease = service.store().lease(1, 60);
    REQUIRE(lease);
    CHECK(lease->front().task.key == key_of_board(after("11-15")));
    CHECK(lease->front().task.priority == wanted_priority);
    CHECK(decode_note(lease->front().task.note) == TaskNote{1, key_of_board(start())});
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
    CHECK(lease->front().task.key == key_of_board(start()));
    CHECK(decode_note(lease->front().task.note) == TaskNote{0, {}});
    REQUIRE(*service.store().complete(lease->front().id));
    service.add(english(), start(), 0);
    CHECK(service.ask("queue", rules, "startpos") == "ok");
    lease = service.store().lease(5, 60);
    REQUIRE(lease);
    REQUIRE_FALSE(lease->empty());
    const auto note = decode_note(lease->front().task.note);
    CHECK(note == TaskNote{1, key_of_board(start())});
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
    add_score(start(), 0);
    CHECK(service.ask("queue", rules, "startpos") == "ok");
    const Position next = canonical_moves(rules, start())[0].after;
    CHECK(take_tasks() == std::vector{key_of_board(start()), key_of_board(next)});
    service.add(english(), start(), 0);
    CHECK(service.ask("queue", rules, "startpos") == "ok");
    const auto keys = take_tasks();
    CHECK(std::find(keys.begin(), keys.end(), key_of_board(start())) == keys.end());

    const PositionKey child = key_of_board(after("9-13"));
    add_score(after("9-13"), 0);
    CHECK(service.ask("store", rules, "startpos", "&move=9-13") == "ok");
    CHECK(take_tasks() == std::vector{child});
    CHECK(service.ask("queryall", rules, "startpos").starts_with("move:"));
    CHECK(service.ask("queryscore", rules, "startpos moves 9-13") == "eval:5");
    CHECK(take_tasks() == std::vector{child});
    service.add(english(), after("9-13"), 1);
    CHECK(service.ask("store", rules, "startpos", "&move=9-13").empty());
    CHECK(service.ask("queryall", rules, "startpos").starts_with("move:"));
    CHECK(service.ask("queryscore", rules, "startpos moves 9-13").starts_with("eval:"));
    CHECK(take_tasks().empty());
}

TEST_CASE("only those who may can write", "[posdb]") {
    ServiceOptions options;
    options.store = Permission::everybody;
    TestService service(options);
    const std::string queue = "action=queue&board=startpos";
    const std::string store = "action=store&board=startpos&move=9-13";
    const auto ask = [&](HttpRequest request, const std::string& header = "",
                         const std::string& value = "") {
        if (!header.empty()) request.headers.push_back({header, value});
        return service.service().handle(request).body;
    };
    CHECK(ask(TestService::request(queue, false)) == "permission denied");
    CHECK(ask(TestService::request(store, false)) == "ok");
    for (const std::string site : {"cross-site", "same-site"})
        CHECK(ask(TestService::request(queue), "sec-fetch-site", site) == "permission denied");
    CHECK(ask(TestService::request(queue), "origin", "https://example.org") == "permission denied");
    CHECK(ask(TestService::request(queue), "origin", "http://127.0.0.1:8032") == "ok");
    CHECK(ask(TestService::request(queue), "sec-fetch-site", "same-origin") == "ok");
}

TEST_CASE("scores are stored with a token only", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const WriteSecret secret{std::string(test_secret)};
    const std::string fen = to_fen(rules, start());
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
    CHECK(service.ask("store", rules, "startpos", "&move=9-13") == "ok");
    CHECK(service.ask("store", rules, "startpos", "&move=9-14x").empty());
    service.add(english(), after("9-13"), 1);
    CHECK(service.ask("store", rules, "startpos", "&move=9-13").empty());
    service.add(english(), start(), 0);
    CHECK(service.ask("queryall", rules, "startpos").find("move:11-15,score:31,") !=
          std::string::npos);
}

TEST_CASE("a position reached by a capture tells those before it when they are read", "[posdb]") {
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
    service.add_tree(english(), start(), 1, 0);
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

TEST_CASE("requests that ask for nothing are answered as by the original", "[posdb]") {
    ServiceOptions options;
    options.ends_with_nul = true;
    TestService service(options);
    const auto& rules = english().rules;
    CHECK(service.ask("").empty());
    CHECK(service.ask("action=nothing") == std::string("invalid parameters") + '\0');
    CHECK(service.ask("action=queryall") == std::string("invalid parameters") + '\0');
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

TEST_CASE("only workers with a right token may ask as often as they like", "[posdb]") {
    TestService service;
    const WriteSecret secret{std::string(test_secret)};
    const std::string now = std::to_string(seconds_since_1970());
    const std::string long_ago = std::to_string(seconds_since_1970() - 1000);
    const auto is_limited = [&](const std::string& query) {
        INFO(query);
        return service.service().is_limited(TestService::request(query, false));
    };
    const auto get = [&](const std::string& count, const std::string& time) {
        return "action=getqueue&count=" + count + "&time=" + time +
               "&token=" + secret.token({"getqueue", "1", time});
    };
    CHECK_FALSE(is_limited(get("1", now)));
    CHECK(is_limited(get("2", now)));
    CHECK(is_limited(get("1", long_ago)));
    const auto acknowledge = [&](const std::string& more, const std::string& variant) {
        return "action=ackqueue&lease=7&board=x&time=" + now + more +
               "&token=" + secret.token({"ackqueue", "7", variant, "x", "", "", now});
    };
    CHECK_FALSE(is_limited(acknowledge("", "english")));
    CHECK_FALSE(is_limited(acknowledge("&variant=Czech", "czech")));
    CHECK(is_limited(acknowledge("&variant=czech", "english")));
    CHECK(is_limited(acknowledge("&variant=chess", "chess")));
    for (const std::string query : {"action=queryall", "action=getqueue", "action=ackqueue", ""})
        CHECK(is_limited(query));
    // Without the token nobody is told more.
    CHECK(service.ask("action=ackqueue&lease=7&board=x") == "tokenerror");
    CHECK(service.ask(acknowledge("", "english")) == "invalid parameters");
    HttpRequest elsewhere = TestService::request(get("1", now), false);
    elsewhere.path = "/";
    CHECK(service.service().is_limited(elsewhere));
}

TEST_CASE("scored moves travel as text", "[posdb]") {
    CHECK(parse_lease("15250267618628734358") == 15250267618628734358U);
    CHECK_FALSE(parse_lease("0"));
    CHECK_FALSE(parse_lease("1x"));
    CHECK_FALSE(parse_lease("99999999999999999999"));
    const GameRules& rules = english().rules;
    const std::vector<KnownMove> moves = {{0, -12, 9, ScoreSource::search},
                                          {6, 29990, 255, ScoreSource::final}};
    const std::string text = to_text(rules, start(), moves);
    auto read = parse_scored_moves(rules, start(), text);
    REQUIRE(read);
    CHECK(*read == moves);
    for (const std::string wrong : {"11-15", "11-15,1,1", "11-15,1,1,4", "11-15,40000,1,0",
                                    "11-15,1,1,0|11-15,1,1,0", "1-2,1,1,0", "11-15,1,256,0"}) {
        INFO(wrong);
        CHECK_FALSE(parse_scored_moves(rules, start(), wrong));
    }
    CHECK(decode_note(encode(TaskNote{7, PositionKey{1, 2, 2}})) ==
          TaskNote{7, PositionKey{1, 2, 2}});
    CHECK_FALSE(decode_note(""));
    CHECK_FALSE(decode_note(encode(TaskNote{7, PositionKey{1, 1, 0}})));
}

TEST_CASE("the service answers over HTTP", "[posdb]") {
    Served served;
    HttpClient client("127.0.0.1", served.server->port());
    for (const std::string path : {"/cdb", "/cdb.php", "/checkersdb.php"}) {
        const auto reply = client.get(path + "?action=queryall&board=startpos", 10);
        REQUIRE(reply);
        CHECK(reply->body == "unknown");
    }
    const auto posted = client.post("/cdb", "action=queue&board=startpos&json=1", 10);
    REQUIRE(posted);
    CHECK(posted->body == "{\"status\":\"ok\"}");
    CHECK(posted->header("content-type") == "application/json");
    const auto health = client.get("/healthz", 10);
    REQUIRE(health);
    CHECK(health->body == "ok\n");
    const auto metrics = client.get("/metrics", 10);
    REQUIRE(metrics);
    for (const std::string line :
         {"defiance_requests_total{action=\"queryall\"} 3\n",
          "defiance_requests_total{action=\"queue\"} 1\n",
          "defiance_queue_tasks{state=\"waiting\"} 1\n", "defiance_store_up 1\n"})
        CHECK(metrics->body.find(line) != std::string::npos);
}

TEST_CASE("workers elsewhere score what is queued", "[posdb]") {
    Served served;
    TestService& service = served.service;
    CHECK(service.ask("queue", find_game("russian")->rules, "startpos") == "ok");
    const HttpUrl url = {"127.0.0.1", served.server->port(), "/"};
    HttpJobSource stranger(url, WriteSecret("another secret"));
    CHECK_FALSE(stranger.next());
    const WriteSecret secret{std::string(test_secret)};
    ScoringPool::Options options =
        pool_options([&] { return std::make_unique<HttpJobSource>(url, secret); });
    options.threads = 2;
    ScoringPool pool(options);
    wait_until([&] { return pool.scored() != 0; });
    pool.stop();
    CHECK(pool.scored() == 1);
    CHECK(service.waiting() == 0);
    const GameRules& russian = find_game("russian")->rules;
    const auto known = service.database_of(*find_game("russian")).find(russian.start_position());
    REQUIRE(known);
    REQUIRE(*known);
    CHECK((*known)->moves.size() == 7);
    CHECK((*known)->ply == 0);
}

TEST_CASE("a NUL byte behind texts does not stop workers", "[posdb]") {
    ServiceOptions options;
    options.ends_with_nul = true;
    Served served(options);
    NulEverywhere everywhere(served.service.service());
    HttpServerOptions listening;
    listening.addresses = {"127.0.0.1"};
    auto other = HttpServer::start(listening, everywhere);
    REQUIRE(other);
    for (const auto& [port, board] : {std::pair{served.server->port(), "startpos"},
                                      std::pair{(*other)->port(), "startpos moves 9-13"}}) {
        HttpJobSource worker({"127.0.0.1", port, "/"}, WriteSecret(std::string(test_secret)));
        const auto nothing = worker.next();
        REQUIRE(nothing);
        CHECK(nothing->empty());
        static_cast<void>(served.service.ask("queue", english().rules, board));
        const auto jobs = worker.next();
        REQUIRE(jobs);
        REQUIRE(jobs->size() == 1);
        CHECK_FALSE(worker.deliver(jobs->front(), {{0, 5, 9, ScoreSource::search}}));
    }
    (*other)->stop();
}

TEST_CASE("what has become known meanwhile is not given to workers", "[posdb]") {
    Served served;
    TestService& service = served.service;
    const auto key = key_of_board(after("9-13"));
    const TaskNote note = {1, key_of_board(start())};
    CHECK(service.ask("queue", english().rules, "startpos") == "ok");
    REQUIRE(push_position(service.store(), StoreGame::english, key, note, expansion_priority));
    service.add(english(), start(), 0);
    service.add(english(), after("9-13"), 1);
    HttpJobSource worker({"127.0.0.1", served.server->port(), "/"},
                         WriteSecret(std::string(test_secret)));
    for (int i = 0; i < 2; ++i) {
        const auto jobs = worker.next();
        REQUIRE(jobs);
        CHECK(jobs->empty());
    }
    const auto queue = service.store().queue_size();
    REQUIRE(queue);
    CHECK(queue->waiting + queue->leased == 0);
}

TEST_CASE("workers of the server score what is queued", "[posdb]") {
    TestService service;
    CHECK(service.ask("store", english().rules, "startpos", "&move=9-13") == "ok");
    ScoringPool pool(service.pool_options());
    wait_until([&] { return pool.scored() != 0; });
    pool.stop();
    CHECK(service.ask("queryall", english().rules, "startpos moves 9-13") != "unknown");
    const auto known = service.database_of(english()).find(after("9-13"));
    REQUIRE(*known);
    CHECK((*known)->parents == std::vector<PositionKey>{key_of_board(start())});
}
