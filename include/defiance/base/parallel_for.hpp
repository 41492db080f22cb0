#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Divides 0 to `size` - 1 into ranges of `chunk` numbers and calls task(begin, end, thread) for
/// each, on `threads` threads including this one, or on fewer if the system has no more. Threads
/// are numbered from 0. After an exception of a task no further ranges are begun; it leaves this
/// function when all threads have ended.
template <class Task>
void parallel_for(std::uint64_t size, std::uint64_t chunk, int threads, Task task) {
    DEFIANCE_ASSERT(chunk > 0 && threads > 0);
    std::atomic<std::uint64_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;  // guarded by the mutex
    const auto work = [&](int thread) {
        try {
            for (;;) {
                const std::uint64_t begin = next.fetch_add(chunk);
                if (begin >= size) return;
                task(begin, std::min(begin + chunk, size), thread);
            }
        } catch (...) {
            next = size;
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    try {
        for (int thread = 1; thread < threads; ++thread)
            helpers.emplace_back(work, thread);
    } catch (const std::bad_alloc&) {
    } catch (const std::system_error&) {
    }
    work(0);
    for (std::thread& helper : helpers)
        helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace defiance
