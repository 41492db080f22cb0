#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Divides 0 to `size` - 1 into ranges of `piece` numbers and calls task(begin, end, thread) for
/// each, on `threads` threads including this one. Threads are numbered from 0.
template <class Task>
void parallel_for(std::uint64_t size, std::uint64_t piece, int threads, Task task) {
    DEFIANCE_ASSERT(piece > 0 && threads > 0);
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
