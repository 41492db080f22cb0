#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

#include <defiance/base/clock.hpp>
#include <defiance/engine/file_wait.hpp>

namespace defiance {

/// Does work that may hang, such as opening files, on other threads, one task at a time, for
/// callers that must not hang with it. Create it with std::make_shared, because tasks share it.
///
/// Safe from several threads.
class SlowWork : public std::enable_shared_from_this<SlowWork> {
public:
    /// Runs the task after those begun before, and waits for its end. What it throws is ignored.
    /// Where no thread is free it runs on this one. False when the wait ended earlier: it was
    /// interrupted, or the task, or one before it, has gone on for longer than the patience. A task
    /// that has begun then goes on all the same. `what` is for the wait.
    [[nodiscard]] bool run(std::function<void()> task, std::string_view what, const FileWait& wait);

private:
    [[nodiscard]] bool waits_for(std::unique_lock<std::mutex>& lock, std::uint64_t tasks,
                                 std::string_view what, const FileWait& wait);

    std::mutex mutex_;                  // guards the rest; held for moments only
    std::condition_variable finished_;  // a task has ended
    std::uint64_t begun_ = 0;           // tasks; at most one more than
    std::uint64_t ended_ = 0;
    Stopwatch since_begin_;  // of the last task
};

}  // namespace defiance
