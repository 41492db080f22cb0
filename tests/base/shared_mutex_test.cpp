#include <defiance/base/shared_mutex.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace defiance;

TEST_CASE("a shared mutex keeps writers apart, also when it is used for the first time", "[base]") {
    constexpr int threads = 4;
    constexpr int rounds = 300;
    struct Round {
        SharedMutex mutex;
        std::atomic<int> present = 0;
        std::atomic<int> writers = 0;
    };
    std::atomic<int> faults = 0;
    const auto all = std::make_unique<std::array<Round, rounds>>();
    std::vector<std::thread> team;
    for (int thread = 0; thread < threads; ++thread)
        team.emplace_back([&] {
            for (Round& round : *all) {
                // All come to the new mutex at once.
                ++round.present;
                while (round.present < threads)
                    std::this_thread::yield();
                for (int i = 0; i < 3; ++i) {
                    {
                        const std::unique_lock lock(round.mutex);
                        if (++round.writers != 1) ++faults;
                        std::this_thread::yield();
                        --round.writers;
                    }
                    const std::shared_lock lock(round.mutex);
                    if (round.writers != 0) ++faults;
                }
            }
        });
    for (std::thread& thread : team)
        thread.join();
    CHECK(faults == 0);
}

TEST_CASE("readers hold a shared mutex together", "[base]") {
    SharedMutex mutex;
    const std::shared_lock lock(mutex);
    bool is_shared = false;
    std::thread([&] {
        const std::shared_lock second(mutex);
        is_shared = true;
    }).join();
    CHECK(is_shared);
}
