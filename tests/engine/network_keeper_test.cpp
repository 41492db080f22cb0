#include <catch2/catch.hpp>

#include <new>

#include <defiance/engine/network_keeper.hpp>

#include "../base/failing_allocation.hpp"
#include "scripted_core.hpp"

using namespace defiance;

TEST_CASE("a network that memory was short for is opened again", "[engine]") {
    const GameCore& core = test::scripted_core();
    bool has_failed = true;
    for (int successes = 0; has_failed; ++successes) {
        REQUIRE(successes < 1000);
        NetworkKeeper keeper(core, "no network file.dfn");
        {
            const FailingAllocation failing(successes);
            try {
                static_cast<void>(keeper.network());
            } catch (const std::bad_alloc&) {
            }
            has_failed = failing.has_failed();
        }
        CAPTURE(successes);
        REQUIRE(keeper.network() != nullptr);
        CHECK(keeper.report().find("no network file.dfn") != std::string::npos);
        CHECK(keeper.report().find("number") != std::string::npos);
    }
}
