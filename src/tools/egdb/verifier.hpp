#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/egdb/solved_slice.hpp>
#include <tools/egdb/builder.hpp>

namespace defiance {

struct Comparison {
    std::uint64_t compared = 0;          ///< positions that the database keeps
    std::optional<Position> difference;  ///< one of those that differ
    bool lacks_plies = false;  ///< it keeps positions without the plies that they should have
};

/// Asks the databases for all positions of a slice and compares what they know with the slice. All
/// quiet positions of one of two swapped slices must be known; one that is not counts as a
/// difference of the slice that is kept. Plies that are missing do not: there is no file of them.
template <class Rules>
[[nodiscard]] Comparison compare_with(const Endgames<Rules>& endgames, const SolvedSlice& slice,
                                      int threads) {
    DEFIANCE_ASSERT(threads >= 1);
    Comparison comparison;
    std::mutex mutex;
    const bool is_kept = endgames.keeps(slice.index().material());
    const bool is_dtw_kept = has_dtw_kept<Rules>(slice.index().material());
    const auto is_right = [&](std::uint64_t number, const EgdbResult& result) {
        if (result.wld != slice.value(number)) return false;
        return result.wld == Wld::draw || !is_dtw_kept || !result.dtw ||
               *result.dtw == slice.dtw(number);
    };
    constexpr std::uint64_t chunk = 1 << 14;
    parallel_for(
        slice.index().size(), chunk, threads, [&](std::uint64_t begin, std::uint64_t end, int) {
            Comparison found;
            slice.index().for_each(begin, end, [&](std::uint64_t number, const Position& p) {
                const auto result = endgames.probe(p);
                if (result ? !is_right(number, *result) : is_kept && is_quiet<Rules>(p))
                    found.difference = p;
                if (!result) return;
                ++found.compared;
                if (is_dtw_kept && result->wld != Wld::draw && !result->dtw)
                    found.lacks_plies = true;
            });
            const std::lock_guard lock(mutex);
            comparison.compared += found.compared;
            if (found.difference) comparison.difference = found.difference;
            if (found.lacks_plies) comparison.lacks_plies = true;
        });
    return comparison;
}

}  // namespace defiance
