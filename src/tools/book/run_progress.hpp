#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <defiance/base/clock.hpp>

namespace defiance {

/// Prints every few seconds how far a long run is and how many seconds are left.
class RunProgress {
public:
    /// `what` is counted, up to `wanted`.
    RunProgress(std::string what, std::size_t wanted) : what_(std::move(what)), wanted_(wanted) {}

    /// So many are done now; those of earlier runs cost no time.
    void note(std::size_t done);

private:
    const std::string what_;
    const std::size_t wanted_;
    Stopwatch stopwatch_;
    std::optional<std::size_t> first_;
    double since_ = 0;
    double next_ = 0;
};

}  // namespace defiance
