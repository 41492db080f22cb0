#include <tools/training/float_network.hpp>

#include <cmath>

#include <defiance/base/random.hpp>

namespace defiance {
namespace {

/// Evenly spread between -1 and 1.
float random_number(Random& random) {
    const auto bits = static_cast<std::int32_t>(random.next() >> 40);
    return static_cast<float>(bits) / static_cast<float>(1 << 23) - 1;
}

}  // namespace

FloatNetwork::FloatNetwork(const NetworkShape& shape, std::uint64_t seed) : FloatNetwork(shape) {
    // With about 20 active inputs the sums spread over the part of the activation that slopes.
    constexpr float input_spread = 0.2F;
    constexpr float initial_bias = 0.3F;
    constexpr float output_spread = 0.1F;
    constexpr float second_output_spread = 0.3F;
    const ParameterLayout places = layout();
    Random random(seed);
    for (int i = 0; i < places.hidden_bias(0); ++i)
        values_[static_cast<std::size_t>(i)] = input_spread * random_number(random);
    for (int unit = 0; unit < shape.hidden; ++unit)
        values_[static_cast<std::size_t>(places.hidden_bias(unit))] = initial_bias;
    for (int bucket = 0; bucket < shape.buckets; ++bucket)
        for (int product = 0; product < shape.products(); ++product)
            values_[static_cast<std::size_t>(places.output_weight(bucket, product))] =
                output_spread * random_number(random);
    const float second_spread = 1 / std::sqrt(static_cast<float>(shape.products()));
    for (int i = places.second_weight(0, 0, 0); i < places.second_bias(0, 0); ++i)
        values_[static_cast<std::size_t>(i)] = second_spread * random_number(random);
    for (int i = places.second_bias(0, 0); i < places.second_output(0, 0); ++i)
        values_[static_cast<std::size_t>(i)] = initial_bias;
    for (int i = places.second_output(0, 0); i < places.size(); ++i)
        values_[static_cast<std::size_t>(i)] = second_output_spread * random_number(random);
}

}  // namespace defiance
