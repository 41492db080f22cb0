#pragma once

#include <cstdint>
#include <vector>

#include <defiance/base/aligned_array.hpp>
#include <tools/training/float_network.hpp>

namespace defiance {

/// The learning rate, as a part of the one given: it rises for some steps, then falls in a soft
/// curve to a hundredth. `step` runs from 0 to `steps` - 1.
[[nodiscard]] double rate_factor(std::int64_t step, std::int64_t steps);

/// Adam: gradient descent with moments of each parameter.
class Adam {
public:
    explicit Adam(const FloatNetwork& network);

    /// Begins a step for the mean of the gradients of so many positions.
    void begin_step(double rate, int positions);
    /// Independent parts of a step, for several threads: each of 0 to parts() - 1 must be taken.
    [[nodiscard]] int parts() const { return static_cast<int>(ranges_.size()); }
    /// Adds up `count` arrays of gradients, `stride` numbers apart, and changes the parameters.
    void take(int part, const TrainingKernels& kernels, FloatNetwork& network,
              const float* gradients, int count, std::int64_t stride);

    /// What a state file keeps besides the moments.
    struct Powers {
        double first = 1;  ///< of the decay of the first moments: one factor for each step
        double second = 1;
    };
    [[nodiscard]] Powers& powers() { return powers_; }
    [[nodiscard]] AlignedArray<float>& first_moments() { return first_moments_; }
    [[nodiscard]] AlignedArray<float>& second_moments() { return second_moments_; }

private:
    struct Range {
        int first;
        int last;
        float limit;
    };
    void add_ranges(int first, int last, float limit);

    AlignedArray<float> first_moments_;
    AlignedArray<float> second_moments_;
    std::vector<Range> ranges_;
    Powers powers_;
    AdamStep step_{};
};

}  // namespace defiance
