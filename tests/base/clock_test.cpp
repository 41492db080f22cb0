#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

#include <defiance/base/clock.hpp>

using namespace defiance;

TEST_CASE("slow attempts that fail are spaced out, quick ones are not", "[base]") {
    RetryPacer pacer;
    CHECK(pacer.is_due());
    pacer.note_failure(0.01);
    CHECK(pacer.is_due());
    pacer.note_failure(3600);
    CHECK_FALSE(pacer.is_due());
    pacer.note_failure(0.05);
    const Stopwatch stopwatch;
    while (!pacer.is_due())
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(stopwatch.seconds() > 0.95);
    CHECK(stopwatch.seconds() < 60);
}
