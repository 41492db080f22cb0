#pragma once

// For tests of what goes on in the background.

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <string>

#include <defiance/base/system.hpp>

namespace defiance::test {

/// Asks until the answer is not that one should ask again.
template <class Ask>
[[nodiscard]] std::string asked_patiently(Ask ask) {
    for (int i = 0; i < 2000; ++i) {
        const std::string answer = ask();
        if (answer.find(" in a few seconds") == std::string::npos) return answer;
        sleep_milliseconds(5);
    }
    return "never";
}

/// Waits for it; false when it has not become true in 20 s.
[[nodiscard]] inline bool becomes_true(const std::atomic<bool>& condition) {
    for (int i = 0; i < 4000 && !condition; ++i)
        sleep_milliseconds(5);
    return condition;
}

/// A door that work in the background waits at. It opens at the latest when the object goes, so
/// that a failed test ends too.
class Door {
public:
    ~Door() { open(); }
    void open() {
        if (!is_open_.exchange(true)) promise_.set_value();
    }
    [[nodiscard]] std::function<void()> waiting() const {
        return [future = future_] { future.wait_for(std::chrono::seconds(20)); };
    }

private:
    std::promise<void> promise_;
    std::shared_future<void> future_ = promise_.get_future().share();
    std::atomic<bool> is_open_{false};
};

}  // namespace defiance::test
