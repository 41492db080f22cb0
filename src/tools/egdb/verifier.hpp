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
};

/// Asks the databases for all positions of a slice and compares what they know with the slice. All
/// quiet positions of one of two swapped slices must be known, with their plies if those are kept
/// for the slice; one that is not counts as a difference of the slice that is kept.
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
        if (result.wld == Wld::draw || !is_dtw_kept) return true;
        return result.dtw.has_value() && *result.dtw == slice.dtw(number);
    };
    constexpr std::uint64_t piece = 1 << 14;
    parallel_for(
        slice.index().size(), piece, threads, [&](std::uint64_t begin, std::uint64_t end, int) {
            std::uint64_t known = 0;
            std::optional<Position> wrong;
            slice.index().for_each(begin, end, [&](std::uint64_t number, const Position& p) {
                const auto result = endgames.probe(p);
                if (result ? !is_right(number, *result) : is_kept && is_quiet<Rules>(p)) wrong = p;
                if (result) ++known;
            });
            const std::lock_guard lock(mutex);
            comparison.compared += known;
            if (wrong) comparison.difference = wrong;
        });
    return comparison;
}

}  // namespace defiance
