#pragma once

#include <chrono>

namespace defiance {

/// Measures the time since its construction on a steady clock with sub-millisecond resolution.
class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Spaces out attempts that have failed, so that slow ones take a twentieth of the time at most.
class RetryPacer {
public:
    /// True when another attempt may be made: at first, at once after a failure that took less than
    /// 50 ms, and 20 times as long after a slower one as it took.
    [[nodiscard]] bool is_due() const { return since_failure_.seconds() >= wait_; }
    /// Notes that an attempt of this length has just failed.
    void note_failure(double seconds) {
        constexpr double quick = 0.05;
        wait_ = seconds < quick ? 0 : 20 * seconds;
        since_failure_ = Stopwatch();
    }

private:
    Stopwatch since_failure_;
    double wait_ = 0;
};

}  // namespace defiance
