#pragma once

#include <cstdint>

namespace defiance {

/// What a network makes of the sums x of its hidden units, in units of 1, before they are weighed.
enum class Activation : std::uint8_t {
    clipped = 0,  ///< clipped ReLU: x between 0 and 1
    squared = 1,  ///< squared clipped ReLU: its square
    paired = 2    ///< products of two clipped ReLU: of units i and i + 32 in each group of 64
};

/// Of Activation::paired: a group of so many units gives half as many products.
inline constexpr int pair_group = 64;

}  // namespace defiance
