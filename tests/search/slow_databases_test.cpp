#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

#include "../egdb/driver_folder.hpp"

using namespace defiance;

namespace {

using Clock = std::chrono::steady_clock;

/// Wants the search to stop when the driver was asked so often.
class LookUpObserver : public SearchObserver {
public:
    LookUpObserver(const DriverFolder& driver, int allowed)
        : driver_(driver), end_(driver.look_ups() + allowed) {}
    bool must_stop(std::uint64_t) override { return driver_.look_ups() >= end_; }

private:
    const DriverFolder& driver_;
    int end_;
};

/// Wants the search to stop after some time.
class ClockObserver : public SearchObserver {
public:
    explicit ClockObserver(std::chrono::milliseconds limit) : end_(Clock::now() + limit) {}
    bool must_stop(std::uint64_t) override { return Clock::now() >= end_; }

private:
    Clock::time_point end_;
};

/// A database of others whose values and distances the fake driver makes up.
EndgameSettings settings_for(const DriverFolder& driver, const std::string& values,
                             const std::string& distances) {
    EndgameSettings settings;
    settings.built_in = false;
    settings.folder = values + '/';
    settings.distance_folder = distances + '/';
    settings.driver_folders = {driver.path()};
    return settings;
}

/// Wants the search to stop from the n-th time on that it is asked.
class StoppingObserver : public SearchObserver {
public:
    explicit StoppingObserver(int n) : n_(n) {}
    bool must_stop(std::uint64_t) override { return ++asked_ >= n_; }
    [[nodiscard]] int asked() const { return asked_; }

private:
    int n_;
    int asked_ = 0;
};

}  // namespace

TEST_CASE("the clock is read after each probe of a database that may wait for a disk",
          "[search][english]") {
    const DriverFolder folder;
    EndgameSettings settings;
    settings.built_in = false;
    settings.folder = "kind 9 pieces 6/";
    settings.driver_folders = {folder.path()};
    const Endgames<English> endgames(settings);
    REQUIRE(endgames.pieces() == 6);
    // The databases know the root, or only what the search comes to.
    for (const char* fen : {"W:WK32,K30,25:BK1,12", "B:W32,30,25,22:B1,3,12,11"}) {
        const auto p = parse_fen(rules_of<English>, fen);
        REQUIRE(p);
        TranspositionTable table(1);
        Search<English> search(table);
        search.use(&endgames);
        SearchLimits limits;
        limits.nodes = 50'000;
        StoppingObserver patient(1 << 30);
        static_cast<void>(search.run({&*p, 1}, limits, patient));
        // Far more often than every 1024 nodes.
        CHECK(patient.asked() > 1000);
        for (const int n : {1, 2, 3, 10, 100, 1000}) {
            CAPTURE(fen, n);
            StoppingObserver observer(n);
            const int look_ups = folder.look_ups();
            const SearchResult result = search.run({&*p, 1}, limits, observer);
            CHECK(result.move);
            // No probe after the stop.
            CHECK(folder.look_ups() - look_ups <= n);
            CHECK(observer.asked() == n);
        }
    }
}

// The driver calls every position lost, so each root move wins. Distances to the end make the
// search add a line of best moves when it is over; those to a conversion choose among the root
// moves.
TEST_CASE("a stopped search at a known root asks the driver no more", "[search][english]") {
    const DriverFolder driver;
    const auto p = parse_fen(rules_of<English>, "W:WK32,K30,25:BK1,12");
    REQUIRE(p);
    SearchLimits limits;
    limits.depth = 2;
    const std::string values = "kind 9 pieces 6 answer 2";
    for (const char* distances : {"kind 11 pieces 6 answer 14", "kind 5 pieces 6 answer 14"}) {
        const Endgames<English> endgames(settings_for(driver, values, distances));
        const auto look_ups = [&](SearchObserver& observer) {
            TranspositionTable table(1);
            Search<English> search(table);
            search.use(&endgames);
            const int before = driver.look_ups();
            CHECK(search.run({&*p, 1}, limits, observer).move);
            return driver.look_ups() - before;
        };
        StoppingObserver patient(1 << 30);
        const int without_stop = look_ups(patient);
        CHECK(without_stop > 20);
        for (int allowed = 0; allowed < without_stop; ++allowed) {
            CAPTURE(distances, allowed);
            LookUpObserver observer(driver, allowed);
            // A node looks up a value and its distance before it reads the clock, even when the
            // last look-up for the root has used up the time.
            CHECK(look_ups(observer) <= allowed + 2);
        }
    }
}

TEST_CASE("of moves known to lose and others one that may not is played when time is up",
          "[search][english]") {
    const DriverFolder driver;
    const auto p = parse_fen(rules_of<English>, "W:WK32,K30,25:BK1,12");
    REQUIRE(p);
    MoveList moves;
    generate_moves<English>(*p, moves);
    REQUIRE(moves.size() >= 5);
    // The driver calls every position won, so each root move loses; it is asked about the root
    // first.
    const Endgames<English> endgames(settings_for(driver, "kind 9 pieces 6 answer 1", "none"));
    for (int known = 1; known < static_cast<int>(moves.size()); ++known) {
        CAPTURE(known);
        TranspositionTable table(1);
        Search<English> search(table);
        search.use(&endgames);
        LookUpObserver observer(driver, known + 1);
        const SearchResult result = search.run({&*p, 1}, {}, observer);
        REQUIRE(result.move);
        CHECK(std::find(moves.begin() + known, moves.end(), *result.move) != moves.end());
    }
}

TEST_CASE("a draw that is played for want of time is no bound on a root that may be won",
          "[search][english]") {
    const Endgames<English> endgames({});
    // Among the moves that a search without time does not know is one that wins.
    const auto p = parse_fen(rules_of<English>, "B:WK1,K19:B10,24,K11");
    REQUIRE(p);
    const auto value = endgames.resolve(*p, 100'000);
    REQUIRE(value);
    REQUIRE(value->wld == Wld::win);
    TranspositionTable table(1);
    Search<English> search(table);
    search.use(&endgames);
    StoppingObserver observer(1);
    const SearchResult result = search.run({&*p, 1}, {}, observer);
    CHECK(result.score == score_draw);
    CHECK(result.is_restricted);
    const auto stored = table.probe(key_of(*p), 0);
    REQUIRE(stored);
    CHECK(stored->bound == Bound::lower);
}

TEST_CASE("with a slow driver a search at a known root ends at the deadline", "[search][english]") {
    constexpr int delay = 8;
    const DriverFolder driver;
    const auto p = parse_fen(rules_of<English>, "W:WK32,K30,25:BK1,12");
    REQUIRE(p);
    for (const char* distances :
         {"kind 11 pieces 6 answer 14 delay 8", "kind 5 pieces 6 answer 14 delay 8"}) {
        const Endgames<English> endgames(
            settings_for(driver, "kind 9 pieces 6 answer 2 delay 8", distances));
        for (const int limit : {20, 60, 120}) {
            CAPTURE(distances, limit);
            TranspositionTable table(1);
            Search<English> search(table);
            search.use(&endgames);
            SearchLimits limits;
            limits.depth = 2;
            ClockObserver observer{std::chrono::milliseconds(limit)};
            const int before = driver.look_ups();
            CHECK(search.run({&*p, 1}, limits, observer).move);
            CHECK(driver.look_ups() - before <= limit / delay + 3);
        }
    }
}
