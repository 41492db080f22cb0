#include <tools/training/float_network.hpp>

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
    constexpr float first_bias = 0.3F;
    constexpr float output_spread = 0.1F;
    const ParameterLayout places = layout();
    Random random(seed);
    for (int i = 0; i < places.input_bias(0); ++i)
        values_[static_cast<std::size_t>(i)] = input_spread * random_number(random);
    for (int unit = 0; unit < shape.hidden; ++unit)
        values_[static_cast<std::size_t>(places.input_bias(unit))] = first_bias;
    for (int bucket = 0; bucket < shape.buckets; ++bucket)
        for (int unit = 0; unit < 2 * shape.hidden; ++unit)
            values_[static_cast<std::size_t>(places.output_weight(bucket, unit))] =
                output_spread * random_number(random);
}

}  // namespace defiance
