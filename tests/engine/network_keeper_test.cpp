#include <catch2/catch.hpp>

#include <memory>
#include <new>
#include <string_view>

#include <defiance/engine/network_keeper.hpp>

#include "../base/failing_allocation.hpp"
#include "background_work.hpp"
#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

TEST_CASE("a network that memory was short for is opened again", "[engine]") {
    const GameCore& core = scripted_core();
    const FileWait wait{[](std::string_view) { return false; }, 60};
    bool has_failed = true;
    for (int successes = 0; has_failed; ++successes) {
        REQUIRE(successes < 1000);
        const auto keeper = std::make_shared<NetworkKeeper>(core, "no network file.dfn");
        {
            const FailingAllocation failing(successes);
            try {
                static_cast<void>(keeper->network(wait));
            } catch (const std::bad_alloc&) {
            }
            has_failed = failing.has_failed();
        }
        CAPTURE(successes);
        REQUIRE(keeper->network(wait) != nullptr);
        const std::string report = asked_patiently([&] { return keeper->report(); });
        CHECK(report.find("no network file.dfn") != std::string::npos);
        CHECK(report.find("checksum") != std::string::npos);
    }
}
