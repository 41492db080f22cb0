#pragma once

#include <cstdint>
#include <optional>

#include <defiance/egdb/endgames.hpp>
#include <defiance/egdb/solved_slice.hpp>

namespace defiance {

struct Comparison {
    std::uint64_t compared = 0;  ///< positions that the database keeps
    std::optional<Position> first_difference;
};

/// Asks the databases for all positions of a slice and compares what they know with the slice. All
/// quiet positions of one of two swapped slices must be known; one that is not counts as a
/// difference of the slice that is kept.
template <class Rules>
[[nodiscard]] Comparison compare_with(const Endgames<Rules>& endgames, const SolvedSlice& slice,
                                      int threads);

}  // namespace defiance
