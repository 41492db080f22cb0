#pragma once

#include <cstddef>
#include <type_traits>

#include <defiance/base/random.hpp>
#include <defiance/eval/network.hpp>

namespace defiance::testing {

/// A network with random numbers as large as the format allows.
inline NetworkParameters random_network(Random& random, int hidden, int buckets,
                                        Activation activation) {
    NetworkParameters p;
    p.game = "English";
    p.description = "random numbers";
    p.hidden = hidden;
    p.buckets = buckets;
    p.activation = activation;
    const auto fill = [&](auto& numbers, int size, int limit) {
        numbers.resize(static_cast<std::size_t>(size));
        for (auto& number : numbers)
            number = static_cast<std::remove_reference_t<decltype(number)>>(
                random.below(2 * limit + 1) - limit);
    };
    fill(p.input_weights, NetworkParameters::inputs * hidden, NetworkParameters::max_input_weight);
    fill(p.hidden_biases, hidden, NetworkParameters::max_hidden_bias);
    fill(p.output_weights, buckets * 2 * hidden, 60);
    fill(p.output_biases, buckets, NetworkParameters::max_output_bias);
    return p;
}

}  // namespace defiance::testing
