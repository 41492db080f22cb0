#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

#include <tools/training/thread_team.hpp>

using namespace defiance;

TEST_CASE("a team of threads does every task once", "[training]") {
    ThreadTeam team(4);
    for (int run = 0; run < 50; ++run) {
        std::atomic<int> sum = 0;
        team.run(20, [&](int number, int thread) {
            if (thread >= 0 && thread < team.size()) sum += number;
        });
        CHECK(sum == 190);
    }
}

TEST_CASE("an exception of a task leaves the run of a team, which can be used again",
          "[training]") {
    ThreadTeam team(4);
    for (int run = 0; run < 50; ++run) {
        // Most of them on threads other than that of the caller.
        CHECK_THROWS_AS(team.run(1000, [](int, int) { throw std::runtime_error("a fault"); }),
                        std::runtime_error);
        std::atomic<int> done = 0;
        team.run(10, [&](int, int) { ++done; });
        CHECK(done == 10);
    }
    // Of one helper alone, while the caller waits for it.
    if (team.size() == 1) return;
    std::atomic<bool> has_helper = false;
    CHECK_THROWS_AS(team.run(1000,
                             [&](int, int thread) {
                                 if (thread != 0) {
                                     has_helper = true;
                                     throw std::runtime_error("a fault");
                                 }
                                 while (!has_helper)
                                     std::this_thread::yield();
                             }),
                    std::runtime_error);
}
