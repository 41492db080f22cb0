// What becomes of scores that cannot be delivered at once.

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "service_support.hpp"

using namespace defiance;
using defiance::testing::first_position;
using defiance::testing::pool_options;
using defiance::testing::wait_until;

namespace {

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

}  // namespace

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
