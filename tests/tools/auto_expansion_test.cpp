// Drop-out expansion in the server: what it queues, and what becomes of it.

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tools/expansion/auto_expansion.hpp>
#include <tools/posdb/http_job_source.hpp>
#include <tools/posdb/scoring_task.hpp>

#include "redis_server.hpp"
#include "service_support.hpp"
#include "wrapped_store.hpp"

namespace defiance {
namespace {

using testing::english;
using testing::TestService;

constexpr std::size_t some_positions = 40;

bool never_stops() {
    return false;
}

std::vector<ExpansionRoot> roots_named(const std::string& ballots) {
    return value_of(expansion_roots(english().rules, ballots));
}

QueueExpansion expansion_of(TestService& service, std::size_t positions = some_positions,
                            const std::string& ballots = "none") {
    return {service.database_of(english()), service.store(), roots_named(ballots), {{}, positions}};
}

/// Takes tasks of expansion from a store, scores them by chance, and looks that nothing comes twice
/// or is known.
class ChanceWorker {
public:
    ChanceWorker(PositionDatabase& database, PositionStore& store)
        : database_(database), store_(store) {}

    void work(int most) {
        for (const TaskLease& lease : value_of(store_.lease(most, 60))) {
            const PositionKey& key = lease.task.key;
            CHECK(lease.task.priority == expansion_priority);
            CHECK(seen_.emplace(key.own, key.other, key.kings).second);
            CHECK_FALSE(value_of(database_.find(board_of(key))));
            score(board_of(key), decode_note(lease.task.note).value().ply);
            CHECK(value_of(store_.complete(lease.id)));
        }
    }
    void score(const Position& position, std::uint8_t ply) {
        std::vector<KnownMove> moves;
        for (const CanonicalMove& move : canonical_moves(english().rules, position))
            moves.push_back({static_cast<std::uint8_t>(moves.size()),
                             static_cast<std::int16_t>(key_of(move.after) % 41), 9,
                             ScoreSource::search});
        REQUIRE_FALSE(database_.add(position, moves, ply, {}));
    }
    [[nodiscard]] std::size_t seen() const { return seen_.size(); }

private:
    PositionDatabase& database_;
    PositionStore& store_;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> seen_;
};

/// A store that needs more memory to read than there is.
class HungryStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame, std::span<const PositionKey>) override {
        throw std::bad_alloc();
    }
};

}  // namespace

TEST_CASE("an empty queue is filled with the cheapest leaves, which give way to others",
          "[posdb][expansion]") {
    TestService service;
    const GameRules& rules = english().rules;
    const PositionKey start = key_of_board(rules.start_position());
    QueueExpansion expansion = expansion_of(service);
    REQUIRE(value_of(expansion.step(never_stops)));
    CHECK(service.waiting() == 1);
    auto leases = value_of(service.store().lease(9, 60));
    REQUIRE(leases.size() == 1);
    CHECK(leases[0].task.key == start);
    CHECK(leases[0].task.priority == expansion_priority);
    CHECK(decode_note(leases[0].task.note) == TaskNote{0, {}});
    // Nothing else is to be done until it is known.
    REQUIRE(value_of(expansion.step(never_stops)));
    CHECK(service.waiting() == 0);
    service.add(english(), rules.start_position(), 0);
    REQUIRE(value_of(service.store().complete(leases[0].id)));
    for (int i = 0; i < 3; ++i) {
        REQUIRE(value_of(expansion.step(never_stops)));
        CHECK(service.waiting() == 7);
    }
    CHECK(expansion.known() == 1);
    CHECK(expansion.queued() == 8);
    // What somebody wants comes first.
    const std::string wanted = "W:W21-32:B1-3,5-12,13";
    CHECK(service.ask("queue", rules, wanted) == "ok");
    leases = value_of(service.store().lease(2, 60));
    REQUIRE(leases.size() == 2);
    CHECK(leases[0].task.key == key_of_board(value_of(parse_fen(rules, wanted))));
    CHECK(leases[0].task.priority == wanted_priority);
    CHECK(leases[1].task.priority == expansion_priority);
    CHECK(decode_note(leases[1].task.note) == TaskNote{1, start});
}

TEST_CASE("expansion ends when enough is known, and queues nothing twice", "[posdb][expansion]") {
    TestService service;
    QueueExpansion expansion = expansion_of(service);
    ChanceWorker worker(service.database_of(english()), service.store());
    for (int round = 0; value_of(expansion.step(never_stops)); ++round) {
        REQUIRE(round < 1000);
        worker.work(1 + round % 3);
    }
    CHECK(worker.seen() == some_positions);
    CHECK(expansion.known() == some_positions);
    CHECK(expansion.queued() == some_positions);
    CHECK(value_of(service.store().count(StoreGame::english)) == some_positions);
    CHECK(service.waiting() == 0);
    // The same from what is stored.
    QueueExpansion again = expansion_of(service);
    CHECK_FALSE(value_of(again.step(never_stops)));
    CHECK(again.known() == some_positions);
    CHECK(again.queued() == 0);
}

TEST_CASE("expansion goes on from what is known, also by others", "[posdb][expansion]") {
    TestService service;
    service.add_tree(english(), english().rules.start_position(), 1, 0);
    QueueExpansion expansion = expansion_of(service, 1000, "3move");
    ChanceWorker worker(service.database_of(english()), service.store());
    // A stop while it reads leaves nothing undone.
    REQUIRE(value_of(expansion.step([] { return true; })));
    CHECK(service.waiting() == 0);
    REQUIRE(value_of(expansion.step(never_stops)));
    CHECK(expansion.known() == 8);
    CHECK(service.waiting() == 8);
    worker.work(8);
    // Others make all ballots known, of which some were to be queued next.
    for (const ExpansionRoot& root : roots_named("3move"))
        worker.score(root.position, 3);
    for (int round = 0; round < 40; ++round) {
        REQUIRE(value_of(expansion.step(never_stops)));
        worker.work(5);
    }
    CHECK(worker.seen() > 100);
    CHECK(expansion.known() > 175);
}

TEST_CASE("a root that is never stored is left alone", "[posdb][expansion]") {
    TestService service;
    const auto position = value_of(parse_fen(english().rules, "B:WK1:BK32,K31"));
    QueueExpansion expansion(service.database_of(english()), service.store(), {{position, 0}}, {});
    CHECK_FALSE(value_of(expansion.step(never_stops)));
    CHECK(service.waiting() == 0);
}

TEST_CASE("servers that share a store expand it together, also after it was away",
          "[posdb][expansion][redis]") {
    if (!has_redis()) return;
    RedisServer redis;
    const auto store = value_of(open_store(redis.url(), [](const std::string&) {}));
    PositionDatabase database(english(), *store, nullptr);
    QueueExpansion one(database, *store, roots_named("none"), {{}, some_positions});
    QueueExpansion other(database, *store, roots_named("none"), {{}, some_positions});
    ChanceWorker worker(database, *store);
    bool is_over = false;
    for (int round = 0; !is_over; ++round) {
        REQUIRE(round < 1000);
        if (round == 5) {
            redis.kill();
            CHECK_FALSE(one.step(never_stops));
            redis.start();
            testing::wait_until([&] { return static_cast<bool>(store->queue_size()); });
        }
        const bool one_goes_on = value_of(one.step(never_stops));
        is_over = !value_of(other.step(never_stops)) && !one_goes_on;
        worker.work(3);
    }
    CHECK(one.known() >= some_positions);
    CHECK(other.known() >= some_positions);
    CHECK(one.queued() > 1);
    CHECK(one.queued() + other.queued() == worker.seen());
}

TEST_CASE("expansion that lacks memory ends, and the rest goes on", "[posdb][expansion]") {
    TestService service;
    HungryStore store(service.store());
    PositionDatabase database(english(), store, nullptr);
    std::atomic<int> warnings = 0;
    AutoExpansion::Options options;
    options.roots = roots_named("none");
    options.warn = [&](const std::string& text) {
        if (text.find("--expand-positions") != std::string::npos) ++warnings;
    };
    AutoExpansion expansion(database, store, options);
    testing::wait_until([&] { return warnings == 1; });
    expansion.stop();
    CHECK_FALSE(expansion.is_over());
}

TEST_CASE("expansion that lacks memory even to warn ends, and can be stopped",
          "[posdb][expansion]") {
    TestService service;
    HungryStore store(service.store());
    PositionDatabase database(english(), store, nullptr);
    std::atomic<int> attempts = 0;
    AutoExpansion::Options options;
    options.roots = roots_named("none");
    options.warn = [&](const std::string&) {
        ++attempts;
        throw std::bad_alloc();
    };
    AutoExpansion expansion(database, store, options);
    testing::wait_until([&] { return attempts == 1; });
    expansion.stop();
    CHECK(attempts == 1);
    CHECK_FALSE(expansion.is_over());
}

TEST_CASE("workers here and elsewhere go on with expansion, and it can be stopped",
          "[posdb][expansion]") {
    testing::Served served;
    TestService& service = served.service;
    AutoExpansion::Options options;
    options.roots = roots_named("none");
    options.settings.positions = some_positions;
    options.idle_seconds = 0.01;
    options.warn = [](const std::string&) {};
    {
        AutoExpansion expansion(service.database_of(english()), service.store(), options);
        testing::wait_until([&] { return expansion.queued() == 1; });
        expansion.stop();
        CHECK_FALSE(expansion.is_over());
    }
    CHECK(service.waiting() == 1);
    const HttpUrl url = {"127.0.0.1", served.server->port(), "/"};
    const WriteSecret secret{std::string(testing::test_secret)};
    ScoringPool here(service.pool_options());
    ScoringPool elsewhere(
        testing::pool_options([&] { return std::make_unique<HttpJobSource>(url, secret); }));
    AutoExpansion expansion(service.database_of(english()), service.store(), options);
    testing::wait_until([&] { return expansion.is_over(); });
    here.stop();
    elsewhere.stop();
    expansion.stop();
    CHECK(expansion.known() == some_positions);
    CHECK(expansion.queued() == some_positions - 1);
    CHECK(here.scored() + elsewhere.scored() == some_positions);
    CHECK(value_of(service.store().count(StoreGame::english)) == some_positions);
    service.service().set_expansion(expansion.queued(), expansion.known());
    HttpRequest request = TestService::request("");
    request.path = "/metrics";
    const std::string metrics = service.service().handle(request).body;
    for (const std::string line :
         {"\ndefiance_expansion_queued_total 39\n", "\ndefiance_expansion_positions 40\n"})
        CHECK(metrics.find(line) != std::string::npos);
}

}  // namespace defiance
