// What the service does and tells when its store is in trouble.

#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "service_support.hpp"
#include "wrapped_store.hpp"

namespace defiance {
namespace {

using testing::english;
using testing::first_position;
using testing::TestService;

/// A store that can be read, but not written while the disk is full.
class FullStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    bool is_full = true;
    bool has_failed = false;

    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override {
        if (is_full) return Error{"the disk is full"};
        return WrappedStore::update(game, key, expected, value);
    }
    Result<PushOutcome> push(const StoreTask& task) override {
        if (is_full) return Error{"the disk is full"};
        return WrappedStore::push(task);
    }
    std::optional<Error> failure() override {
        if (has_failed) return Error{"the disk has failed"};
        return std::nullopt;
    }
};

/// A store that counts how often it is asked for what the pages about the server tell.
class CountingStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    int asked = 0;

    Result<std::uint64_t> count(StoreGame game) override {
        ++asked;
        return WrappedStore::count(game);
    }
    Result<QueueSize> queue_size() override {
        ++asked;
        return WrappedStore::queue_size();
    }
    std::optional<Error> failure() override {
        ++asked;
        return WrappedStore::failure();
    }
};

HttpResponse answer_at(PositionService& service, const std::string& path) {
    HttpRequest request = TestService::request("");
    request.path = path;
    return service.handle(request);
}

bool has_metric(PositionService& service, const std::string& line) {
    return answer_at(service, "/metrics").body.find("\ndefiance_" + line + '\n') !=
           std::string::npos;
}

/// A service on such a store; it is filled through the other one.
struct TroubledService {
    TestService filled;
    FullStore store{filled.store()};
    const GameEndgames no_endgames{};
    PositionService service{store, no_endgames, {}};

    HttpResponse ask(const std::string& query) {
        return service.handle(TestService::request(query));
    }
};

}  // namespace

TEST_CASE("scores that cannot be carried up are told as they are", "[posdb]") {
    TroubledService troubled;
    const GameRules& rules = english().rules;
    const std::string fen = "B:W18,30,31,32:B15,2,3,4";
    const auto before = parse_fen(rules, fen);
    REQUIRE(before);
    // The position after the capture tells something else, which is taken over when it is read.
    troubled.filled.add(english(), *before, 255);
    PositionDatabase& database = troubled.filled.database_of(english());
    const auto known = database.find(*before);
    const std::string old_answer = "eval:" + std::to_string((*known)->best());
    const Position after = named_moves(rules, *before)[0].after;
    TestService other;
    other.add(english(), after, 255, 300);
    const auto told = other.database_of(english()).find(after);
    REQUIRE((told && *told));
    REQUIRE(database.merge(key_of_board(after), **told));
    const std::string query = "action=queryscore&board=" + fen;
    const HttpResponse answer = troubled.ask(query);
    CHECK(answer.status == 200);
    CHECK(answer.body == old_answer);
    CHECK(has_metric(troubled.service, "store_failures_total 1"));
    troubled.store.is_full = false;
    CHECK(troubled.ask(query).body != old_answer);
    CHECK(has_metric(troubled.service, "store_failures_total 1"));
}

TEST_CASE("a query is answered also when its position cannot be queued", "[posdb]") {
    TroubledService troubled;
    troubled.filled.add(english(), first_position(), 0);
    CHECK(troubled.ask("action=queryall&board=startpos").body.starts_with("move:"));
    const std::string query = "action=queryscore&board=startpos+moves+11-15";
    for (const std::string more : {"", "&learn=1&json=1"}) {
        const HttpResponse answer = troubled.ask(query + more);
        CHECK(answer.status == 200);
        CHECK(answer.body.starts_with(more.empty() ? "unknown" : "{\"status\":\"unknown\""));
        CHECK((answer.body.find("\"learned\":false") != std::string::npos) == !more.empty());
    }
    CHECK(has_metric(troubled.service, "store_failures_total 2"));
    CHECK(troubled.filled.waiting() == 0);
    // It is learned when there is room again.
    troubled.store.is_full = false;
    CHECK(troubled.ask(query).body == "unknown");
    CHECK(troubled.filled.waiting() == 1);
}

TEST_CASE("the service tells when nothing can be stored any more", "[posdb]") {
    TroubledService troubled;
    CHECK(answer_at(troubled.service, "/healthz").status == 200);
    CHECK(has_metric(troubled.service, "store_up 1"));
    troubled.store.has_failed = true;
    const HttpResponse health = answer_at(troubled.service, "/healthz");
    CHECK(health.status == 503);
    CHECK(health.body.find("nothing can be stored") != std::string::npos);
    CHECK(has_metric(troubled.service, "store_up 0"));
}

TEST_CASE("what is posted to a page that can only be read costs nothing", "[posdb]") {
    TestService filled;
    CountingStore store(filled.store());
    const GameEndgames no_endgames{};
    PositionService service(store, no_endgames, {});
    for (const std::string path : {"/healthz", "/metrics", "/", "/page.js"}) {
        INFO(path);
        HttpRequest request = TestService::request("");
        request.path = path;
        request.method = HttpRequest::Method::post;
        CHECK(service.handle(request).status == 405);
        CHECK(store.asked == 0);
    }
    CHECK(answer_at(service, "/healthz").status == 200);
    CHECK(store.asked > 0);
}

TEST_CASE("what the workers of the service cannot store counts as a failure", "[posdb]") {
    TestService service;
    service.service().set_scored(5, 3);
    CHECK(has_metric(service.service(), "scored_total 5"));
    CHECK(has_metric(service.service(), "store_failures_total 3"));
}

TEST_CASE("the metrics tell of values that make no sense", "[posdb]") {
    TestService service;
    REQUIRE(service.store().update(StoreGame::english, key_of_board(first_position()), 0, "x"));
    CHECK(has_metric(service.service(), "undecodable_values_total{game=\"english\"} 0"));
    CHECK(service.ask("action=queryscore&board=startpos") == "unknown");
    CHECK(has_metric(service.service(), "undecodable_values_total{game=\"english\"} 1"));
    CHECK(has_metric(service.service(), "undecodable_values_total{game=\"czech\"} 0"));
}

}  // namespace defiance
