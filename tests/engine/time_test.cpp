#include <catch2/catch.hpp>

#include <defiance/engine/time.hpp>

using namespace defiance;

TEST_CASE("a move at once has no time", "[engine][time]") {
    const TimeKeeper time({Pace::at_once, 0, 0, 0});
    CHECK(time.time_is_up());
    CHECK_FALSE(time.may_go_deeper(0));
    CHECK_FALSE(time.must_wait());
}

TEST_CASE("an average move may overshoot its time but not without bound", "[engine][time]") {
    const TimeKeeper time({Pace::average, 10, 0, 0});
    CHECK(time.left() > 10);
    CHECK(time.left() <= 25);
    CHECK(time.may_go_deeper(0));
    CHECK_FALSE(time.must_wait());
}

TEST_CASE("an exact move waits for its moment, which lies just before the time", "[engine][time]") {
    const TimeKeeper time({Pace::exact, 10, 0, 0});
    CHECK(time.left() > 9.98);
    CHECK(time.left() < 10);
    CHECK(time.must_wait());
    CHECK(TimeKeeper({Pace::exact, 0.001, 0, 0}).left() <= 0.001);
}

TEST_CASE("an endless move waits for the user", "[engine][time]") {
    const TimeKeeper time({Pace::endless, 8.6e6, 0, 0});
    CHECK(time.must_wait());
    CHECK(time.left() > 1e9);
}

TEST_CASE("a clock with increment is never overdrawn", "[engine][time]") {
    for (const double remaining : {0.005, 0.05, 0.3, 5.05, 65.5, 6553.5})
        for (const double increment : {0.0, 0.005, 0.05, 2.0}) {
            const TimeKeeper time({Pace::increment, 1, remaining, increment});
            INFO(remaining << " left, increment " << increment);
            CHECK(time.left() < remaining);
        }
}

TEST_CASE("a clock with increment uses the increment and a part of the rest", "[engine][time]") {
    // The one who has two minutes and ten seconds more a move should not hurry.
    CHECK(TimeKeeper({Pace::increment, 1, 130, 10}).left() > 10);
    CHECK(TimeKeeper({Pace::increment, 1, 130, 10}).left() < 60);
}
