// What becomes of jobs that are out of the ordinary.

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "service_support.hpp"
#include "wrapped_store.hpp"

using namespace defiance;
using defiance::testing::after_first;
using defiance::testing::english;
using defiance::testing::first_position;
using defiance::testing::pool_options;
using defiance::testing::test_secret;
using defiance::testing::TestService;
using defiance::testing::wait_until;

namespace {

/// What a HungrySource has been told.
struct HungryWork {
    std::atomic<int> asked = 0;
    std::atomic<int> offered = 0;
    std::atomic<int> given_back = 0;
    std::atomic<int> warnings = 0;
};

/// Needs more memory than there is when it is asked first and when it gets scores first.
class HungrySource : public JobSource {
public:
    explicit HungrySource(HungryWork& work) : work_(work) {}

    Result<std::vector<ScoringJob>> next() override {
        if (work_.asked++ == 0) throw std::bad_alloc();
        return std::vector<ScoringJob>{
            {1, StoreGame::english, first_position(), false, encode(TaskNote{})}};
    }
    std::optional<DeliveryFailure> deliver(const ScoringJob&,
                                           const std::vector<KnownMove>&) override {
        if (work_.offered++ == 0) throw std::bad_alloc();
        return std::nullopt;
    }
    void give_back(const ScoringJob&) override { ++work_.given_back; }

private:
    HungryWork& work_;
};

/// Always has a job, and refuses the scores of some for good.
class EndlessSource : public JobSource {
public:
    explicit EndlessSource(std::atomic<std::uint64_t>& taken) : taken_(taken) {}

    Result<std::vector<ScoringJob>> next() override {
        return std::vector<ScoringJob>{
            {1, StoreGame::english, first_position(), false, encode(TaskNote{})}};
    }
    std::optional<DeliveryFailure> deliver(const ScoringJob&,
                                           const std::vector<KnownMove>&) override {
        if (++offered_ % 3 == 1) return DeliveryFailure{"it is refused", true};
        ++taken_;
        return std::nullopt;
    }
    void give_back(const ScoringJob&) override {}

private:
    std::atomic<std::uint64_t>& taken_;
    int offered_ = 0;
};

/// A store in which what is known of one position can no longer be read.
class DamagedStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    std::optional<PositionKey> damaged;
    bool is_damaged_later = false;  ///< not when it is read together with others

    Result<std::optional<StoredValue>> get(StoreGame game, const PositionKey& key) override {
        if (key == damaged) return Error{"the file is damaged"};
        return WrappedStore::get(game, key);
    }
    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override {
        const bool has_damaged =
            damaged && std::find(keys.begin(), keys.end(), *damaged) != keys.end();
        if (has_damaged && !is_damaged_later) return Error{"the file is damaged"};
        return WrappedStore::get_many(game, keys);
    }
};

/// Queues the positions after these moves from the start, in this order.
void queue_after(PositionStore& store, std::initializer_list<const char*> moves) {
    for (const char* move : moves)
        REQUIRE(push_position(store, StoreGame::english, key_of_board(after_first(move)), {},
                              wanted_priority));
}

}  // namespace

TEST_CASE("a worker that lacks memory gives its job back and goes on", "[posdb]") {
    HungryWork work;
    std::atomic<bool> is_first = true;
    ScoringPool::Options options = pool_options([&] {
        if (is_first.exchange(false)) throw std::bad_alloc();
        return std::make_unique<HungrySource>(work);
    });
    options.pause_seconds = 0.02;
    options.warn = [&](const std::string& text) {
        if (text.find("memory") != std::string::npos) ++work.warnings;
    };
    ScoringPool pool(options);
    wait_until([&] { return pool.scored() != 0; });
    // One that is stopped gives back, too.
    CHECK(work.given_back == 1);
    pool.stop();
    CHECK(work.warnings == 1);
    // To begin with, then when it asked and when it delivered.
    CHECK(pool.failures() == 3);
}

TEST_CASE("a pool with a count scores exactly so many", "[posdb]") {
    // Of those that are offered one in three is refused.
    constexpr std::uint64_t count = 7;
    std::atomic<std::uint64_t> taken = 0;
    ScoringPool::Options options =
        pool_options([&] { return std::make_unique<EndlessSource>(taken); });
    options.threads = 3;
    options.pause_seconds = 0.01;
    options.count = count;
    ScoringPool pool(std::move(options));
    wait_until([&] { return pool.scored() >= count; });
    sleep_milliseconds(50);
    pool.stop();
    CHECK(pool.scored() == count);
    CHECK(taken == count);
    CHECK(pool.lost() > 0);
}

TEST_CASE("a position whose opponent has no pieces is worked out", "[posdb]") {
    TestService service;
    const GameRules& rules = english().rules;
    const std::string fen = "B:W:B1,2,3,4,5,6,7,8";
    CHECK(service.ask("queue", rules, fen) == "ok");
    ScoringPool pool(service.pool_options());
    wait_until([&] {
        const auto size = service.store().queue_size();
        return size && size->waiting + size->leased == 0;
    });
    pool.stop();
    CHECK(pool.scored() == 1);
    CHECK(service.ask("queryscore", rules, fen) == "eval:29999");
}

TEST_CASE("no scores are stored of a position that needs none", "[posdb]") {
    TestService service;
    StoreJobSource source(service.store(), [&](StoreGame game) -> PositionDatabase& {
        return service.service().database(game);
    });
    const auto position = parse_fen(english().rules, "W:WK1:BK32,K31");
    REQUIRE(position);
    const ScoringJob job = {1, StoreGame::english, *position, false, encode(TaskNote{})};
    CHECK_FALSE(source.deliver(job, {{0, 5, 9, ScoreSource::search}}));
    CHECK(*service.store().count(StoreGame::english) == 0);
}

TEST_CASE("a position that cannot be read does not keep others from being scored", "[posdb]") {
    TestService service;
    DamagedStore store(service.store());
    PositionDatabase database(english(), store, nullptr);
    StoreJobSource source(
        store, [&](StoreGame) -> PositionDatabase& { return database; }, 3);
    queue_after(store, {"9-13", "9-14", "10-14"});
    store.damaged = key_of_board(after_first("9-14"));
    CHECK_FALSE(source.next());
    const auto queue = store.queue_size();
    REQUIRE(queue);
    CHECK(queue->leased == 1);
    CHECK(queue->waiting == 2);
    const auto jobs = source.next();
    REQUIRE(jobs);
    REQUIRE(jobs->size() == 2);
    CHECK(jobs->front().position == board_of(key_of_board(after_first("9-13"))));
    CHECK(jobs->back().position == board_of(key_of_board(after_first("10-14"))));
}

TEST_CASE("tasks that a worker is not given wait again", "[posdb]") {
    TestService filled;
    DamagedStore store(filled.store());
    const GameEndgames no_endgames{};
    ServiceOptions options;
    options.secret = WriteSecret(std::string(test_secret));
    PositionService service(store, no_endgames, std::move(options));
    queue_after(store, {"9-13", "9-14", "10-14"});
    // Somebody else has scored it, which cannot be noted.
    filled.add(english(), after_first("9-14"), 1);
    store.damaged = key_of_board(after_first("9-14"));
    store.is_damaged_later = true;
    const std::string now = std::to_string(seconds_since_1970());
    const HttpRequest request =
        TestService::request("action=getqueue&count=3&time=" + now + "&token=" +
                             WriteSecret(std::string(test_secret)).token({"getqueue", "3", now}));
    CHECK(service.handle(request).status == 503);
    const auto queue = store.queue_size();
    REQUIRE(queue);
    CHECK(queue->leased == 1);
    CHECK(queue->waiting == 2);
    const HttpResponse others = service.handle(request);
    CHECK(others.status == 200);
    CHECK(std::count(others.body.begin(), others.body.end(), '\n') == 2);
}
