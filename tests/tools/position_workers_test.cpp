// Workers and the server that gives them positions to score.

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tools/http/client.hpp>
#include <tools/posdb/http_job_source.hpp>
#include <tools/posdb/scored_moves_text.hpp>

#include "service_support.hpp"

using namespace defiance;
using defiance::testing::after_first;
using defiance::testing::english;
using defiance::testing::first_position;
using defiance::testing::pool_options;
using defiance::testing::Served;
using defiance::testing::test_secret;
using defiance::testing::TestService;
using defiance::testing::wait_until;

namespace {

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

/// The service, which answers workers for a time that it cannot take scores, or in another way.
class Reluctant : public HttpHandler {
public:
    explicit Reluctant(PositionService& service) : service_(service) {
        HttpServerOptions options;
        options.addresses = {"127.0.0.1"};
        auto started = HttpServer::start(options, *this);
        REQUIRE(started);
        server_ = *std::move(started);
    }

    HttpResponse handle(const HttpRequest& request) override {
        if (request.field("action") != "ackqueue") return service_.handle(request);
        ++deliveries;
        if (refusals == 0) return service_.handle(request);
        --refusals;
        return refusal;
    }
    [[nodiscard]] HttpUrl url() const { return {"127.0.0.1", server_->port(), "/"}; }

    std::atomic<int> refusals = 0;
    std::atomic<int> deliveries = 0;
    HttpResponse refusal = http_failure(503);

private:
    PositionService& service_;
    std::unique_ptr<HttpServer> server_;
};

}  // namespace

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
    elsewhere.path = "/metrics";
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
    const std::string text = to_text(rules, first_position(), moves);
    auto read = parse_scored_moves(rules, first_position(), text);
    REQUIRE(read);
    CHECK(*read == moves);
    for (const std::string wrong : {"11-15", "11-15,1,1", "11-15,1,1,4", "11-15,40000,1,0",
                                    "11-15,1,1,0|11-15,1,1,0", "1-2,1,1,0", "11-15,1,256,0"}) {
        INFO(wrong);
        CHECK_FALSE(parse_scored_moves(rules, first_position(), wrong));
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

TEST_CASE("scores that a server cannot take at once are sent again", "[posdb]") {
    TestService service;
    CHECK(service.ask("queue", english().rules, "startpos") == "ok");
    Reluctant server(service.service());
    server.refusals = 3;
    std::atomic<int> warnings = 0;
    ScoringPool::Options options = pool_options([&] {
        return std::make_unique<HttpJobSource>(server.url(), WriteSecret(std::string(test_secret)));
    });
    options.pause_seconds = 0.02;
    options.warn = [&](const std::string&) { ++warnings; };
    ScoringPool pool(options);
    wait_until([&] { return pool.scored() != 0; });
    pool.stop();
    CHECK(pool.scored() == 1);
    CHECK(server.deliveries == 4);
    CHECK(warnings == 1);
    CHECK(service.ask("queryscore", english().rules, "startpos").starts_with("eval:"));
}

TEST_CASE("a worker tells what a server says when it refuses", "[posdb]") {
    TestService service;
    CHECK(service.ask("queue", english().rules, "startpos") == "ok");
    Reluctant server(service.service());
    HttpJobSource worker(server.url(), WriteSecret(std::string(test_secret)));
    const auto jobs = worker.next();
    REQUIRE(jobs);
    REQUIRE(jobs->size() == 1);
    const auto failure = [&](const HttpResponse& refusal) {
        server.refusal = refusal;
        server.refusals = 1;
        return worker.deliver(jobs->front(), {{0, 5, 9, ScoreSource::search}})
            .value_or(DeliveryFailure{});
    };
    const std::string why =
        "this server is not known as 'headnode'; start it with --host-name headnode";
    const DeliveryFailure by_name = failure(http_failure(403, why));
    CHECK(by_name.text == "the server answers 403 Forbidden: " + why);
    CHECK_FALSE(by_name.is_final);
    HttpResponse invalid;
    invalid.body = "invalid parameters";
    const DeliveryFailure by_content = failure(invalid);
    CHECK(by_content.text == "the server answers: invalid parameters");
    CHECK(by_content.is_final);
}

TEST_CASE("a position whose scores a server refuses for good is left to others", "[posdb]") {
    TestService service;
    CHECK(service.ask("queue", english().rules, "startpos") == "ok");
    Reluctant server(service.service());
    server.refusal = {};
    server.refusal.body = "invalid parameters";
    server.refusals = 1;
    ScoringPool::Options options = pool_options([&] {
        return std::make_unique<HttpJobSource>(server.url(), WriteSecret(std::string(test_secret)));
    });
    options.pause_seconds = 0.02;
    ScoringPool pool(options);
    wait_until([&] { return pool.lost() != 0; });
    pool.stop();
    CHECK(server.deliveries == 1);
    CHECK(pool.lost() == 1);
    CHECK(pool.scored() == 0);
    // It waits until its lease runs out.
    const auto queue = service.store().queue_size();
    REQUIRE(queue);
    CHECK(queue->leased == 1);
    CHECK(*service.store().count(StoreGame::english) == 0);
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
    const auto key = key_of_board(after_first("9-13"));
    const TaskNote note = {1, key_of_board(first_position())};
    CHECK(service.ask("queue", english().rules, "startpos") == "ok");
    REQUIRE(push_position(service.store(), StoreGame::english, key, note, expansion_priority));
    service.add(english(), first_position(), 0);
    service.add(english(), after_first("9-13"), 1);
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
    const auto known = service.database_of(english()).find(after_first("9-13"));
    REQUIRE(*known);
    CHECK((*known)->parents == std::vector<PositionKey>{key_of_board(first_position())});
}
