// What becomes of jobs that are out of the ordinary.

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <set>
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

/// What the one thread of a pool has to do with a FickleSource, and what it warns of.
struct FickleWork {
    std::vector<ScoringJob> jobs;            ///< given one by one
    std::set<std::uint64_t> troubled = {1};  ///< leases of the jobs with which there is trouble
    bool is_final = false;                   ///< of the failures
    std::atomic<bool> is_away = true;
    std::atomic<bool> is_all_away = false;   ///< gives no jobs either
    std::atomic<bool> lacks_memory = false;  ///< when it gets scores
    std::atomic<int> asked = 0;              ///< times
    std::atomic<int> offered = 0;            ///< times that scores were
    std::atomic<int> warnings = 0;
    std::string warning;  ///< the last one; when the pool has stopped

    [[nodiscard]] ScoringPool::Options settings();
};

/// Gives jobs and takes no scores while it is away.
class FickleSource : public JobSource {
public:
    explicit FickleSource(FickleWork& work) : work_(work) {}

    Result<std::vector<ScoringJob>> next() override {
        ++work_.asked;
        if (work_.is_all_away && given_ > 0) return Error{"it is away"};
        if (given_ == work_.jobs.size()) return std::vector<ScoringJob>{};
        return std::vector<ScoringJob>{work_.jobs[given_++]};
    }
    std::optional<DeliveryFailure> deliver(const ScoringJob& job,
                                           const std::vector<KnownMove>&) override {
        // First, for those who change it after so many offers.
        const bool is_away = work_.is_away;
        const bool lacks_memory = work_.lacks_memory;
        ++work_.offered;
        if (lacks_memory) throw std::bad_alloc();
        if (is_away && work_.troubled.contains(job.lease))
            return DeliveryFailure{"it is away", work_.is_final};
        return std::nullopt;
    }
    void give_back(const ScoringJob&) override {}

private:
    FickleWork& work_;
    std::size_t given_ = 0;
};

ScoringPool::Options FickleWork::settings() {
    ScoringPool::Options options =
        pool_options([this] { return std::make_unique<FickleSource>(*this); });
    options.pause_seconds = 0.02;
    options.warn = [this](const std::string& text) {
        ++warnings;
        warning = text;
    };
    return options;
}

/// Jobs to score the start position with the leases 1, 2 and so on.
std::vector<ScoringJob> start_jobs(std::uint64_t count) {
    std::vector<ScoringJob> jobs;
    for (std::uint64_t lease = 1; lease <= count; ++lease)
        jobs.push_back({lease, StoreGame::english, first_position(), false, encode(TaskNote{})});
    return jobs;
}

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

TEST_CASE("scores that are not taken are kept and told of once", "[posdb]") {
    for (const bool is_all_away : {false, true}) {
        FickleWork work;
        work.jobs = start_jobs(1);
        work.is_all_away = is_all_away;
        ScoringPool pool(work.settings());
        wait_until([&] { return work.offered >= 4; });
        CHECK(pool.scored() == 0);
        work.is_away = false;
        wait_until([&] { return pool.scored() != 0; });
        pool.stop();
        CHECK(pool.scored() == 1);
        CHECK(work.warnings == 1);
        CHECK(work.warning.starts_with("it is away; "));
        CHECK(pool.failures() >= 4);
    }
}

TEST_CASE("scores that are not taken do not keep others from it", "[posdb]") {
    FickleWork work;
    work.jobs = start_jobs(5);
    ScoringPool pool(work.settings());
    wait_until([&] { return pool.scored() == 4; });
    work.is_away = false;
    wait_until([&] { return pool.scored() == 5; });
    pool.stop();
    CHECK(work.warnings == 1);
}

TEST_CASE("scores that nobody takes are given up", "[posdb]") {
    FickleWork work;
    work.jobs = start_jobs(1);
    ScoringPool::Options options = work.settings();
    SECTION("because others get the position") {
        options.lease_seconds = 0;
    }
    SECTION("or they are refused for good") {
        work.is_final = true;
    }
    ScoringPool pool(options);
    wait_until([&] { return work.offered != 0; });
    const int before = work.asked;
    wait_until([&] { return work.asked >= before + 5; });
    pool.stop();
    CHECK(work.offered == 1);
    CHECK(pool.scored() == 0);
    CHECK(pool.lost() == 1);
    CHECK(work.warnings == 1);
}

TEST_CASE("a worker whose scores are refused in a row leaves jobs to others", "[posdb]") {
    FickleWork work;
    work.jobs = start_jobs(8);
    work.is_final = true;
    ScoringPool::Options options = work.settings();
    options.refusal_seconds = 1000;
    SECTION("for a long while") {
        work.troubled = {1, 2, 3, 4, 5, 6, 7, 8};
        ScoringPool pool(options);
        wait_until([&] { return pool.lost() == 3; });
        sleep_milliseconds(200);
        pool.stop();
        CHECK(work.asked == 3);
        CHECK(work.offered == 3);
        CHECK(pool.lost() == 3);
        CHECK(work.warning == "it is away; positions are left to others for a while");
    }
    SECTION("and tries again then") {
        work.troubled = {1, 2, 3, 4, 5};
        options.refusal_seconds = 0.1;
        ScoringPool pool(options);
        wait_until([&] { return pool.scored() == 3; });
        pool.stop();
        CHECK(pool.lost() == 5);
    }
    SECTION("not where some are taken in between") {
        work.troubled = {1, 2, 4, 5, 7, 8};
        ScoringPool pool(options);
        wait_until([&] { return pool.lost() == 6; });
        pool.stop();
        CHECK(pool.scored() == 2);
    }
}

TEST_CASE("scores that cannot be delivered for want of memory are not forgotten", "[posdb]") {
    for (const bool is_for_good : {false, true}) {
        FickleWork work;
        work.jobs = start_jobs(2);
        work.troubled = {1, 2};
        ScoringPool pool(work.settings());
        // Each has been offered, and one again.
        wait_until([&] { return work.offered >= 4; });
        work.lacks_memory = true;
        const int before = work.offered;
        wait_until([&] { return work.offered >= before + 4; });
        if (!is_for_good) {
            work.is_away = false;
            work.lacks_memory = false;
            wait_until([&] { return pool.scored() == 2; });
        }
        pool.stop();
        CHECK(pool.scored() == (is_for_good ? 0 : 2));
        CHECK(pool.lost() == (is_for_good ? 2 : 0));
    }
}

TEST_CASE("a worker that waits to deliver scores stops at once", "[posdb]") {
    FickleWork work;
    work.jobs = start_jobs(1);
    work.is_all_away = true;
    ScoringPool::Options options = work.settings();
    options.pause_seconds = 1000;
    ScoringPool pool(options);
    wait_until([&] { return work.offered >= 2; });
    const Stopwatch stopwatch;
    pool.stop();
    CHECK(stopwatch.seconds() < 10);
    CHECK(pool.scored() == 0);
}

TEST_CASE("scores are delivered a last time when a pool stops", "[posdb]") {
    for (const bool is_away : {false, true}) {
        FickleWork work;
        work.jobs = start_jobs(1);
        ScoringPool::Options options = work.settings();
        options.pause_seconds = 1000;
        options.idle_seconds = 1000;
        ScoringPool pool(options);
        // At once, and again before the long rest.
        wait_until([&] { return work.offered >= 2; });
        work.is_away = is_away;
        pool.stop();
        CHECK(work.offered == 3);
        CHECK(pool.scored() == (is_away ? 0 : 1));
        CHECK(pool.lost() == (is_away ? 1 : 0));
    }
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
