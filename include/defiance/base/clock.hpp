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

}  // namespace defiance
