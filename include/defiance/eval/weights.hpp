#pragma once

#include <array>
#include <cstdint>

#include <defiance/eval/terms.hpp>

namespace defiance {

/// The worth of one occurrence of a term: with 24 pieces on the board, and with none. In between
/// the evaluation goes from one to the other with the number of pieces.
struct Weight {
    std::int16_t opening;
    std::int16_t ending;
};

/// One weight a slot, in 1/100 man, indexed by first_slot(term) + slot.
using Weights = std::array<Weight, slot_count>;

/// The weights of a game, specialised for each rules type in eval/weights_<game>.hpp.
template <class Rules>
inline constexpr Weights weights_of{};

}  // namespace defiance
