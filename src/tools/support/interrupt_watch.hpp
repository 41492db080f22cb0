#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include <defiance/base/console.hpp>

namespace defiance {

/// Calls `act` once, on a thread of its own, when the user interrupts the program while this object
/// exists. catch_interrupts() must have been called. Throws std::system_error when there is no
/// thread for it.
class InterruptWatch {
public:
    explicit InterruptWatch(std::function<void()> act)
        : thread_([act = std::move(act)](const std::stop_token& end) {
              std::mutex mutex;
              std::unique_lock lock(mutex);
              std::condition_variable_any ends;
              while (!end.stop_requested()) {
                  if (is_interrupted()) return act();
                  ends.wait_for(lock, end, std::chrono::milliseconds(50), [] { return false; });
              }
          }) {}

private:
    std::jthread thread_;
};

}  // namespace defiance
