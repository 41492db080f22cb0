#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace defiance {

/// Has `threads` threads, this one among them, take pieces of the numbers from 0 to `size` - 1
/// until all are done: task(begin, end, thread), where threads are numbered from 0.
template <class Task>
void parallel_for(std::uint64_t size, std::uint64_t piece, int threads, Task task) {
    std::atomic<std::uint64_t> next = 0;
    const auto work = [&](int thread) {
        for (;;) {
            const std::uint64_t begin = next.fetch_add(piece);
            if (begin >= size) return;
            task(begin, std::min(begin + piece, size), thread);
        }
    };
    std::vector<std::thread> helpers;
    for (int thread = 1; thread < threads; ++thread)
        helpers.emplace_back(work, thread);
    work(0);
    for (std::thread& helper : helpers)
        helper.join();
}

}  // namespace defiance
