#pragma once

#include <cstdint>
#include <optional>

#include <defiance/egdb/solved_slice.hpp>

namespace defiance {

/// The first position of a slice whose value does not follow from those of its successors, found
/// with the move generator of the game and nothing of the solver: a win needs a move to a lost
/// position, a loss nothing but moves to won ones, a draw a move to a drawn one and none to a lost
/// one. Where plies are known they must be one more than those of the best move, which also rules
/// out wins that only lead to each other.
///
/// All slices that moves lead to must be there, with plies if this one has them. `threads` threads
/// share the work.
template <class Rules>
[[nodiscard]] std::optional<Position> find_unproven(const SolvedSlices& slices,
                                                    const Material& material, int threads);

}  // namespace defiance
