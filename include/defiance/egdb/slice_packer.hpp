#pragma once

#include <cstdint>
#include <vector>

#include <defiance/egdb/slice_codec.hpp>
#include <defiance/egdb/tree_growth.hpp>

namespace defiance {

/// The tree to pack the values of a slice with, and about how many bits that will give.
template <class Rules>
[[nodiscard]] GrownTree tree_for(const SolvedSlice& slice);

/// Packs the values of a slice, with its tree; PackedSlice::open reads them. The same on every
/// machine.
template <class Rules>
[[nodiscard]] std::vector<std::uint8_t> pack_slice(const SolvedSlice& slice, GrownTree tree,
                                                   int threads);

}  // namespace defiance
