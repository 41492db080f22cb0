#include <catch2/catch.hpp>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

#include <defiance/base/large_array.hpp>
#include <defiance/base/parallel_for.hpp>

using namespace defiance;

TEST_CASE("threads share the numbers and take each once", "[base]") {
    for (const int threads : {1, 3}) {
        LargeArray<std::atomic<int>> taken(1001);
        std::atomic<int> faults = 0;
        parallel_for(1001, 10, threads, [&](std::uint64_t begin, std::uint64_t end, int thread) {
            if (thread < 0 || thread >= threads || end > 1001 || begin >= end) ++faults;
            for (std::uint64_t number = begin; number < end; ++number)
                ++taken[number];
        });
        for (const auto& count : taken.all())
            if (count != 1) ++faults;
        CHECK(faults == 0);
    }
    parallel_for(0, 10, 2, [](auto...) { FAIL("there is nothing to do"); });
}

TEST_CASE("an exception of any thread ends the work and is passed on", "[base]") {
    for (const int failing : {0, 1, 2}) {
        // Each thread waits until all have begun, so that the failing one gets a range.
        std::atomic<int> begun = 0;
        const auto task = [&](std::uint64_t, std::uint64_t, int thread) {
            for (++begun; begun < 3;)
                std::this_thread::yield();
            if (thread == failing) throw std::runtime_error("full disk");
        };
        CHECK_THROWS_WITH(parallel_for(300, 1, 3, task), "full disk");
    }
}

TEST_CASE("a part of an array is a copy of its values", "[base]") {
    LargeArray<int> array(10);
    CHECK_FALSE(array.empty());
    std::iota(array.all().begin(), array.all().end(), 0);
    LargeArray<int> part = array.part(3, 4);
    REQUIRE(part.all().size() == 4);
    CHECK(part[0] == 3);
    CHECK(part[3] == 6);
    part[0] = 77;
    CHECK(array[3] == 3);
    CHECK(LargeArray<int>().empty());
}
