#include <catch2/catch.hpp>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <tools/match/engine_log.hpp>
#include <tools/match/engine_process.hpp>

#include "test_programs.hpp"

using namespace defiance;

TEST_CASE("a program that writes without end is not waited for beyond the time",
          "[tools][match][process]") {
    const Stopwatch stopwatch;
    const auto engine = EngineProcess::start({program_of_build("test_child"), "babble"}, {}, 0.5);
    REQUIRE_FALSE(engine);
    CHECK(engine.error().find("is not loaded after") != std::string::npos);
    // Far below the time for which it writes.
    CHECK(stopwatch.seconds() < 40);
}

TEST_CASE("an engine that nobody waits for any more need not be loaded",
          "[tools][match][process]") {
    const std::atomic<bool> is_abandoned = true;
    const Stopwatch stopwatch;
    const auto engine = EngineProcess::start({program_of_build("test_child"), "babble"}, {}, 1000,
                                             {}, &is_abandoned);
    REQUIRE_FALSE(engine);
    CHECK(engine.error() == "nobody waits any more for it to be loaded");
    CHECK(stopwatch.seconds() < 40);
}

#ifndef _WIN32
TEST_CASE("nobody waits for what a program has left behind and still prints",
          "[tools][match][process]") {
    std::atomic<int> lines = 0;
    const Stopwatch stopwatch;
    {
        Result<LoggedProcess> started =
            LoggedProcess::start({program_of_build("test_child"), "complain_for_ever"}, {},
                                 [&](std::string_view) { ++lines; });
        REQUIRE(started);
        const LoggedProcess process = *std::move(started);
        CHECK(process->wait(patience) == 0);
        while (lines == 0 && stopwatch.seconds() < patience)
            sleep_milliseconds(5);
    }
    CHECK(lines > 0);
    // Far below the time for which it prints.
    CHECK(stopwatch.seconds() < 40);
}
#endif
