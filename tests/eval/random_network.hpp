#pragma once

#include <cstddef>
#include <type_traits>

#include <defiance/base/random.hpp>
#include <defiance/eval/network.hpp>

namespace defiance::testing {

/// A network with random numbers as large as the format allows.
inline NetworkParameters random_network(Random& random, int hidden, int buckets, int second = 0) {
    NetworkParameters p;
    p.game = "English";
    p.description = "random numbers";
    p.hidden = hidden;
    p.buckets = buckets;
    p.second = second;
    const auto fill = [&](auto& numbers, int size, int limit) {
        numbers.resize(static_cast<std::size_t>(size));
        for (auto& number : numbers)
            number = static_cast<std::remove_reference_t<decltype(number)>>(
                random.below(2 * limit + 1) - limit);
    };
    fill(p.input_weights, NetworkParameters::inputs * hidden, NetworkParameters::max_input_weight);
    fill(p.hidden_biases, hidden, NetworkParameters::max_hidden_bias);
    fill(p.output_weights, buckets * p.products(), 60);
    fill(p.output_biases, buckets, NetworkParameters::max_output_bias);
    fill(p.second_weights, buckets * second * p.products(), NetworkParameters::max_output_weight);
    // So that many units are neither 0 nor 1.
    fill(p.second_biases, buckets * second, 40'000);
    fill(p.second_outputs, buckets * second, NetworkParameters::max_output_weight);
    return p;
}

}  // namespace defiance::testing
