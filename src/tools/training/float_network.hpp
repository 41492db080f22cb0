#pragma once

#include <cstdint>

#include <defiance/base/aligned_array.hpp>
#include <defiance/base/assert.hpp>
#include <tools/training/training_kernels.hpp>

namespace defiance {

/// Bounds of the weights, within those of the engine's network (NetworkParameters). An input weight
/// may move a unit, which is clipped to 0..1, across its range and back, and no more.
inline constexpr float input_limit = 1.98F;
inline constexpr float output_limit = 127.0F / 64;
inline constexpr float output_bias_limit = 100;

/// The place of each parameter in an array that holds all of them.
class ParameterLayout {
public:
    explicit ParameterLayout(const NetworkShape& shape) : shape_(shape) {
        DEFIANCE_ASSERT(shape.hidden > 0 && shape.hidden % tile_units == 0);
        DEFIANCE_ASSERT(shape.buckets > 0 && shape.second >= 0 && shape.products() <= max_products);
    }

    [[nodiscard]] int input_weight(int input, int unit) const {
        DEFIANCE_ASSERT(input >= 0 && input < input_count && unit >= 0 && unit < shape_.hidden);
        const int tile = unit / tile_units * tile_units;
        return input_count * tile + input * tile_units + (unit - tile);
    }
    [[nodiscard]] int hidden_bias(int unit) const { return input_count * shape_.hidden + unit; }
    /// The products of the side to move come before those of the opponent.
    [[nodiscard]] int output_weight(int bucket, int product) const {
        return (input_count + 1) * shape_.hidden + bucket * shape_.products() + product;
    }
    [[nodiscard]] int output_bias(int bucket) const {
        return output_weight(shape_.buckets, 0) + bucket;
    }
    [[nodiscard]] int second_weight(int bucket, int unit, int product) const {
        return output_bias(shape_.buckets) + (bucket * shape_.second + unit) * shape_.products() +
               product;
    }
    [[nodiscard]] int second_bias(int bucket, int unit) const {
        return second_weight(shape_.buckets, 0, 0) + bucket * shape_.second + unit;
    }
    [[nodiscard]] int second_output(int bucket, int unit) const {
        return second_bias(shape_.buckets, 0) + bucket * shape_.second + unit;
    }
    [[nodiscard]] int size() const { return second_output(shape_.buckets, 0); }

    template <class Number>
    [[nodiscard]] NetworkParts<Number> parts(Number* begin) const {
        return {begin,
                begin + hidden_bias(0),
                begin + output_weight(0, 0),
                begin + output_bias(0),
                begin + second_weight(0, 0, 0),
                begin + second_bias(0, 0),
                begin + second_output(0, 0)};
    }

private:
    NetworkShape shape_;
};

/// The network while it is trained.
class FloatNetwork {
public:
    /// All parameters 0.
    explicit FloatNetwork(const NetworkShape& shape)
        : shape_(shape), values_(static_cast<std::size_t>(ParameterLayout(shape).size())) {}

    /// Random weights to begin with.
    FloatNetwork(const NetworkShape& shape, std::uint64_t seed);

    [[nodiscard]] const NetworkShape& shape() const { return shape_; }
    [[nodiscard]] ParameterLayout layout() const { return ParameterLayout(shape_); }
    [[nodiscard]] AlignedArray<float>& values() { return values_; }
    [[nodiscard]] const AlignedArray<float>& values() const { return values_; }
    [[nodiscard]] NetworkParts<const float> parts() const { return layout().parts(values_.data()); }

private:
    NetworkShape shape_;
    AlignedArray<float> values_;
};

}  // namespace defiance
