// What becomes of jobs that are out of the ordinary.

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "service_support.hpp"

using namespace defiance;
using defiance::testing::english;
using defiance::testing::first_position;
using defiance::testing::pool_options;
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
