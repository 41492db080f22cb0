#include <tools/training/adam.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {

double rate_factor(std::int64_t step, std::int64_t steps) {
    DEFIANCE_ASSERT(step >= 0 && step < steps);
    constexpr double last = 0.01;
    const auto warm_up = static_cast<double>(std::min<std::int64_t>(500, steps / 20 + 1));
    const double done = static_cast<double>(step + 1) / static_cast<double>(steps);
    const double left = 1 - done;
    // Much like half a wave of the cosine, but made of basic operations only.
    const double curve = left * left * (3 - 2 * left);
    return std::min(1.0, static_cast<double>(step + 1) / warm_up) * (last + (1 - last) * curve);
}

Adam::Adam(const FloatNetwork& network)
    : first_moments_(network.values().size()), second_moments_(network.values().size()) {
    const ParameterLayout places = network.layout();
    add_ranges(0, places.output_weight(0, 0), input_limit);
    add_ranges(places.output_weight(0, 0), places.output_bias(0), output_limit);
    add_ranges(places.output_bias(0), places.second_weight(0, 0, 0), output_bias_limit);
    add_ranges(places.second_weight(0, 0, 0), places.second_bias(0, 0), output_limit);
    add_ranges(places.second_bias(0, 0), places.second_output(0, 0), output_bias_limit);
    add_ranges(places.second_output(0, 0), places.size(), output_limit);
}

void Adam::add_ranges(int first, int last, float limit) {
    constexpr int size = 1024;
    for (; first < last; first += size)
        ranges_.push_back({first, std::min(first + size, last), limit});
}

void Adam::begin_step(double rate, int positions) {
    powers_.first *= first_moment_decay;
    powers_.second *= second_moment_decay;
    step_ = {static_cast<float>(rate / (1 - powers_.first)),
             static_cast<float>(1 / (1 - powers_.second)), static_cast<float>(positions)};
}

void Adam::take(int part, const TrainingKernels& kernels, FloatNetwork& network,
                const float* gradients, int count, std::int64_t stride) {
    DEFIANCE_ASSERT(part >= 0 && part < parts() && count > 0);
    const Range& range = ranges_[static_cast<std::size_t>(part)];
    kernels.step(step_,
                 {range.first, range.last, network.values().data(), first_moments_.data(),
                  second_moments_.data(), range.limit},
                 gradients, count, stride);
}

}  // namespace defiance
