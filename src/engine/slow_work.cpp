#include "slow_work.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/background.hpp>

namespace defiance {

bool SlowWork::run(std::function<void()> task, std::string_view what, const FileWait& wait) {
    const auto work = [self = shared_from_this(), task = std::move(task)] {
        try {
            task();
        } catch (...) {
            // Whoever waits finds that nothing has come of it.
        }
        const std::lock_guard lock(self->mutex_);
        ++self->ended_;
        self->finished_.notify_all();
    };
    std::unique_lock lock(mutex_);
    while (ended_ != begun_)
        if (!waits_for(lock, begun_, what, wait)) return false;
    const std::uint64_t number = ++begun_;
    since_begin_ = Stopwatch();
    lock.unlock();
    bool has_thread = false;
    try {
        has_thread = run_in_background(work);
    } catch (const std::bad_alloc&) {
        // There is no memory even for the task.
    }
    if (!has_thread) work();
    lock.lock();
    return waits_for(lock, number, what, wait);
}

/// Waits until so many tasks have ended. False when the wait ends earlier.
bool SlowWork::waits_for(std::unique_lock<std::mutex>& lock, std::uint64_t tasks,
                         std::string_view what, const FileWait& wait) {
    DEFIANCE_ASSERT(lock.owns_lock());
    constexpr double interval = 0.005;
    while (ended_ < tasks) {
        const double left = wait.patience - since_begin_.seconds();
        if (left <= 0) return false;
        const std::chrono::duration<double> step(std::min(left, interval));
        if (finished_.wait_for(lock, step, [&] { return ended_ >= tasks; })) break;
        lock.unlock();
        const bool is_interrupted = wait.is_interrupted(what);
        lock.lock();
        if (is_interrupted) return ended_ >= tasks;
    }
    return true;
}

}  // namespace defiance
