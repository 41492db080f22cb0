#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <defiance/engine/time.hpp>

using namespace defiance;

namespace {

constexpr int all_pieces = 24;
constexpr IterationChange calm{};

double time_left(const TimeControl& control, int pieces = all_pieces) {
    return TimeManager(control, pieces).left(0);
}

/// A source of numbers, the same on every machine.
class Numbers {
public:
    /// From 0 to below 1.
    double next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }

private:
    std::uint64_t state_ = 99;
};

/// Seconds that a simulated search takes: each iteration lasts a fraction or a multiple of the one
/// before, and sometimes the score falls.
double simulated_search(TimeManager time, Numbers& numbers) {
    double length = 0.0001 + 0.0003 * numbers.next();
    double elapsed = length;
    for (;;) {
        const double chance = numbers.next();
        const IterationChange change{chance < 0.04 ? 40 : chance < 0.1 ? 20 : 0, chance > 0.85};
        if (!time.may_go_deeper(elapsed, change)) return elapsed;
        length *= 1.2 + 1.4 * numbers.next();
        elapsed += length;
        const double stop = time.left(0);
        if (elapsed >= stop) return stop;
    }
}

/// One in so many moves is forced and takes no time.
constexpr double forced_part = 0.15;
constexpr double forced_seconds = 0.0002;

double simulated_move(const TimeControl& control, int pieces, Numbers& numbers) {
    return numbers.next() < forced_part ? forced_seconds
                                        : simulated_search(TimeManager(control, pieces), numbers);
}

/// Mean seconds of the moves of a game of 50 moves with a fixed time for each.
double mean_of_fixed_game(double seconds, Numbers& numbers) {
    constexpr int moves = 50;
    TimeCredit credit;
    double sum = 0;
    for (int i = 0; i < moves; ++i) {
        const double used = simulated_move(
            {TimeMode::average, seconds, 0, 0, credit.saved(seconds)}, all_pieces, numbers);
        credit.spend(seconds, used);
        sum += used;
    }
    return sum / moves;
}

/// The same in an engine match of CheckerBoard, which does the sum itself.
double mean_of_match_game(double seconds, Numbers& numbers) {
    constexpr int moves = 50;
    TimeCredit credit;
    double sum = 0;
    double clock = 0;
    for (int i = 0; i < moves; ++i) {
        clock += seconds;
        const double given =
            clock > seconds ? seconds + (clock - seconds) / 2.5 : std::max(clock, 0.4 * seconds);
        const double used = simulated_move({TimeMode::average, given, 0, 0, credit.saved(given)},
                                           all_pieces, numbers);
        credit.spend(given, used);
        clock -= used;
        sum += used;
    }
    return sum / moves;
}

struct ClockGame {
    double part_used = 0;  // of all that was given
    double least_left = 0;
};

/// A game on a clock, in which men are exchanged until few pieces are left. Every move also loses
/// up to `lag` seconds outside of the engine.
ClockGame play_on_clock(double first, double increment, int moves, double lag, Numbers& numbers) {
    ClockGame game{0, first};
    double clock = first;
    double given = first;
    double sum = 0;
    for (int i = 0; i < moves; ++i) {
        clock += increment;
        given += increment;
        const int pieces = std::max(6, all_pieces - i * 2 / 3);
        const double used =
            simulated_move({TimeMode::increment, 0, clock, increment}, pieces, numbers) +
            lag * numbers.next();
        clock -= used;
        sum += used;
        game.least_left = std::min(game.least_left, clock);
    }
    game.part_used = sum / given;
    return game;
}

}  // namespace

TEST_CASE("a move at once has no time", "[engine][time]") {
    TimeManager time({TimeMode::at_once, 0, 0, 0}, all_pieces);
    CHECK(time.is_up(0));
    CHECK_FALSE(time.may_go_deeper(0, calm));
    CHECK_FALSE(time.must_wait());
}

TEST_CASE("an average move may overshoot its time but not without bound", "[engine][time]") {
    TimeManager time({TimeMode::average, 10, 0, 0}, all_pieces);
    CHECK(time.left(0) > 10);
    CHECK(time.left(0) < 16);
    CHECK(time.may_go_deeper(7, calm));
    CHECK_FALSE(time.may_go_deeper(9, calm));
    CHECK_FALSE(time.must_wait());
    for (const double saved : {-1000.0, -5.0, 0.0, 5.0, 1000.0}) {
        TimeManager keeper({TimeMode::average, 10, 0, 0, saved}, all_pieces);
        CHECK(keeper.left(0) >= 4);
        static_cast<void>(keeper.may_go_deeper(0, {500, true}));
        CHECK(keeper.left(0) <= 20);
    }
}

TEST_CASE("a search in trouble gets more time", "[engine][time]") {
    for (const TimeControl& control :
         {TimeControl{TimeMode::average, 10, 0, 0}, TimeControl{TimeMode::increment, 0, 200, 2}}) {
        TimeManager time(control, all_pieces);
        const double calm_stop = time.left(0);
        // The latest moment at which another iteration may begin.
        const auto latest = [&](const IterationChange& change) {
            double last = 0;
            for (double t = 0; t < 40; t += 0.01)
                if (time.may_go_deeper(t, change)) last = t;
            return last;
        };
        const double after_calm = latest(calm);
        const double after_new_move = latest({0, true});
        const double after_slight_loss = latest({score_of_man / 8, false});
        const double after_clear_loss = latest({score_of_man * 3 / 10, false});
        CHECK(latest({11, false}) == after_calm);
        CHECK(latest({-200, false}) == after_calm);
        CHECK(after_new_move > 1.1 * after_calm);
        CHECK(after_slight_loss > 1.1 * after_new_move);
        CHECK(after_clear_loss > 1.1 * after_slight_loss);
        CHECK(latest({score_of_man * 3 / 10, true}) == after_clear_loss);
        // The iteration that follows may last longer as well, and a calm one again not.
        static_cast<void>(time.may_go_deeper(0, {score_of_man * 3 / 10, false}));
        CHECK(time.left(0) > 1.2 * calm_stop);
        CHECK_FALSE(time.is_up(calm_stop));
        static_cast<void>(time.may_go_deeper(0, calm));
        CHECK(time.is_up(calm_stop));
    }
}

TEST_CASE("a move that most nodes lie below is played sooner", "[engine][time]") {
    const auto latest = [](TimeManager time, double share) {
        double last = 0;
        for (double t = 0; t < 40; t += 0.01)
            if (time.may_go_deeper(t, {.best_share = share})) last = t;
        return last;
    };
    for (const TimeControl& control :
         {TimeControl{TimeMode::average, 10, 0, 0}, TimeControl{TimeMode::increment, 0, 200, 2}}) {
        const TimeManager time(control, all_pieces);
        const double usual = latest(time, IterationChange{}.best_share);
        CHECK(latest(time, 1) < 0.7 * usual);
        CHECK(latest(time, 0.9) < 0.8 * usual);
        CHECK(latest(time, 0.9) > latest(time, 1));
        CHECK(latest(time, 0.3) > 1.3 * usual);
        TimeControl late = control;
        late.waited = 8;
        const TimeManager after_wait(late, all_pieces);
        CHECK(latest(after_wait, 1) > 8 + 0.3 * usual);
        CHECK(latest(after_wait, 0.3) > latest(after_wait, 1));
    }
    TimeManager exact({TimeMode::exact, 10, 0, 0}, all_pieces);
    CHECK(exact.may_go_deeper(9.9, {.best_share = 1}));
    CHECK(exact.left(0) > 9.98);
}

TEST_CASE("an exact move waits for its moment, which lies just before the time", "[engine][time]") {
    TimeManager time({TimeMode::exact, 10, 0, 0}, all_pieces);
    CHECK(time.left(0) > 9.98);
    CHECK(time.left(0) < 10);
    CHECK(time.left(9) < 1);
    CHECK(time.left(11) == 0);
    CHECK(time.must_wait());
    CHECK(time.may_go_deeper(9.9, calm));
    CHECK(time_left({TimeMode::exact, 0.001, 0, 0}) <= 0.001);
}

TEST_CASE("an endless move waits for the user", "[engine][time]") {
    const TimeManager time({TimeMode::infinite, 8.6e6, 0, 0}, all_pieces);
    CHECK(time.must_wait());
    CHECK_FALSE(time.is_up(1e9));
    CHECK(time.left(0) > 1e9);
}

TEST_CASE("a clock with increment is never overdrawn", "[engine][time]") {
    for (const double remaining : {0.005, 0.05, 0.3, 5.05, 65.5, 6553.5})
        for (const double increment : {0.0, 0.005, 0.05, 2.0})
            for (const int pieces : {2, 6, 24}) {
                INFO(remaining << " left, increment " << increment);
                TimeManager time({TimeMode::increment, 1, remaining, increment}, pieces);
                static_cast<void>(time.may_go_deeper(0, {1000, true}));
                CHECK(time.left(0) <= remaining / 2);
            }
}

TEST_CASE("a clock with increment uses the increment and a part of the rest", "[engine][time]") {
    // The one who has two minutes and ten seconds more a move should not hurry.
    CHECK(time_left({TimeMode::increment, 1, 130, 10}) > 10);
    CHECK(time_left({TimeMode::increment, 1, 130, 10}) < 60);
    // A clock that holds no more than what was just added is to be filled again first, by most of
    // it, or by all of it where delays may use up so little.
    for (const double increment : {0.01, 0.1, 0.9})
        CHECK(time_left({TimeMode::increment, 1, increment, increment}) == 0);
    for (const double increment : {1.0, 10.0}) {
        TimeManager time({TimeMode::increment, 1, increment, increment}, all_pieces);
        CHECK(time.may_go_deeper(0.15 * increment, calm));
        CHECK_FALSE(time.may_go_deeper(0.25 * increment, calm));
        CHECK(time.left(0) > 0.25 * increment);
        static_cast<void>(time.may_go_deeper(0, {1000, true}));
        CHECK(time.left(0) < 0.4 * increment);
    }
    // With fewer pieces there are fewer moves to come.
    CHECK(time_left({TimeMode::increment, 1, 60, 0}, 8) >
          1.5 * time_left({TimeMode::increment, 1, 60, 0}));
}

TEST_CASE("the mean of a game is the time given", "[engine][time]") {
    Numbers numbers;
    constexpr int games = 100;
    double fixed = 0;
    double match = 0;
    for (int i = 0; i < games; ++i) {
        fixed += mean_of_fixed_game(0.05, numbers) / games;
        match += mean_of_match_game(0.05, numbers) / games;
    }
    CHECK(fixed == Approx(0.05).epsilon(0.03));
    CHECK(match == Approx(0.05).epsilon(0.03));
}

TEST_CASE("a clock is used in a game of usual length and never runs out", "[engine][time]") {
    constexpr int games = 100;
    Numbers numbers;
    const auto mean_part = [&](double first, double increment, int moves) {
        double sum = 0;
        for (int i = 0; i < games; ++i) {
            const ClockGame game = play_on_clock(first, increment, moves, 0.003, numbers);
            CHECK(game.least_left > 0);
            sum += game.part_used;
        }
        return sum / games;
    };
    CHECK(mean_part(5, 0.05, 40) > 0.95);
    CHECK(mean_part(5, 0.05, 30) > 0.85);
    CHECK(mean_part(5, 0.05, 120) < 1);
    CHECK(mean_part(300, 2, 40) > 0.95);
    CHECK(mean_part(60, 0, 100) < 1);
    // A machine that stands still for a twentieth of a second now and then.
    for (int i = 0; i < games; ++i)
        CHECK(play_on_clock(5, 0.05, 80, 0.05, numbers).least_left > 0);
}

TEST_CASE("what is saved under one time is not spent under another", "[engine][time]") {
    TimeCredit credit;
    CHECK(credit.saved(1) == 0);
    credit.spend(1, 0.25);
    CHECK(credit.saved(1) == Approx(0.75));
    CHECK(credit.saved(1.1) == 0);
    credit.spend(1, 2);
    CHECK(credit.saved(1) == Approx(-0.25));
    credit.spend(2, 1);
    CHECK(credit.saved(1) == 0);
    CHECK(credit.saved(2) == Approx(1));
    for (int i = 0; i < 50; ++i)
        credit.spend(2, 0);
    CHECK(credit.saved(2) < 20);
    for (int i = 0; i < 50; ++i)
        credit.spend(2, 4);
    CHECK(credit.saved(2) > -20);
}

TEST_CASE("a move during which the computer slept takes nothing from those after it",
          "[engine][time]") {
    TimeCredit credit;
    credit.spend(30, 25);
    credit.spend(30, 8 * 3600);
    CHECK(credit.saved(30) == Approx(5));
    credit.spend(30, 60);
    CHECK(credit.saved(30) == Approx(-25));
}

TEST_CASE("a search that waited for databases gets some of its time all the same",
          "[engine][time]") {
    for (const double waited : {0.9, 3.0, 30.0}) {
        TimeControl average{TimeMode::average, 1, 0, 0};
        average.waited = waited;
        TimeManager time(average, all_pieces);
        CHECK_FALSE(time.is_up(waited + 0.3));
        CHECK(time.may_go_deeper(waited + 0.3, calm));
        CHECK_FALSE(time.may_go_deeper(waited + 2, calm));
        TimeControl clock{TimeMode::increment, 0, 60, 1};
        clock.waited = waited;
        TimeManager on_clock(clock, all_pieces);
        CHECK(on_clock.may_go_deeper(waited + 0.3, calm));
        CHECK(on_clock.is_up(60));
    }
    // A short wait changes nothing, and an exact time that can be kept is kept.
    TimeControl exact{TimeMode::exact, 1, 0, 0};
    exact.waited = 0.9;
    CHECK(TimeManager(exact, all_pieces).left(0) == time_left({TimeMode::exact, 1, 0, 0}));
    exact.waited = 3;
    CHECK(TimeManager(exact, all_pieces).left(3) == Approx(0.4));
    TimeControl average{TimeMode::average, 1, 0, 0};
    average.waited = 0.1;
    CHECK(TimeManager(average, all_pieces).left(0) == time_left({TimeMode::average, 1, 0, 0}));
    // Every search begins a little after the call, which is no wait: what was overdrawn is saved.
    for (const double waited : {0.0, 0.001}) {
        TimeControl overdrawn{TimeMode::average, 1, 0, 0};
        overdrawn.saved = -3;
        overdrawn.waited = waited;
        TimeManager time(overdrawn, all_pieces);
        CHECK_FALSE(time.may_go_deeper(0.25, {.best_share = 1}));
        CHECK(time.left(0) < 0.35);
    }
    // What is left of a clock is never exceeded.
    TimeControl short_clock{TimeMode::increment, 0, 2, 0.1};
    short_clock.waited = 1.95;
    CHECK(TimeManager(short_clock, all_pieces).is_up(2));
}
