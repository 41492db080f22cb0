#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/eval/terms.hpp>

namespace defiance {

/// The value of one occurrence of a term: with 24 pieces on the board, and with none. The
/// evaluation interpolates between them by the number of pieces.
struct Weight {
    std::int16_t opening;
    std::int16_t ending;
};

/// One weight per slot, in 1/100 man, indexed by first_slot(term) + slot.
using Weights = std::array<Weight, slot_count>;

/// The weights of a game, specialised for each rules type in eval/weights_<game>.hpp.
template <class Rules>
inline constexpr Weights weights_of{};

/// True when the game has a weight for the term; terms without one are not computed.
template <class Rules>
[[nodiscard]] constexpr bool has_weights(Term term) {
    const auto first = static_cast<std::size_t>(first_slot(term));
    const auto slots = static_cast<std::size_t>(slots_of_term[static_cast<std::size_t>(term)]);
    for (std::size_t i = first; i < first + slots; ++i)
        if (weights_of<Rules>[i].opening != 0 || weights_of<Rules>[i].ending != 0) return true;
    return false;
}

}  // namespace defiance
