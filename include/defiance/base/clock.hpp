#pragma once

#include <chrono>

namespace defiance {

/// Measures time from its making on a clock that never jumps, in steps well below a millisecond.
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
