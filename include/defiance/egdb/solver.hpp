#pragma once

#include <atomic>
#include <cstdint>

#include <defiance/egdb/solved_slice.hpp>

namespace defiance {

struct SolverSettings {
    int threads = 1;
    bool with_plies = false;  ///< the slices before must then have plies too
    /// Counts the positions done, each twice without plies and once with them; may be null.
    std::atomic<std::uint64_t>* progress = nullptr;
};

/// Solves the slice of a material and the swapped one by retrograde analysis and adds both. All
/// slices that captures and promotions lead to must be there.
///
/// Every position is looked at once: captures and promotions are judged by the slices they lead to,
/// the other moves are counted. Then, from each position whose value has become known, moves are
/// taken back: before a loss lies a win, before the last of all wins a loss. What is left is drawn.
template <class Rules>
void solve_slices(const Material& material, SolvedSlices& slices, const SolverSettings& settings);

}  // namespace defiance
