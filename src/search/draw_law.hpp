#pragma once

#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance {

/// True when a position is drawn after this many plies of king moves without a capture. A side
/// without a legal move has lost instead.
template <class Rules>
[[nodiscard]] bool is_drawn_by_law(const Position& p, int reversible) {
    return reversible >= min_reversible_limit<Rules> && reversible >= reversible_limit<Rules>(p) &&
           count_moves<Rules>(p) != 0;
}

/// A value to xor into the table key of a node of this depth, so that results that depend on the
/// draw law are not used at another count. 0 when no line of the search can reach the law: ordinary
/// positions share their entries. Lines may be twice as long as the depth, because forced moves of
/// one side cost no depth.
template <class Rules>
[[nodiscard]] std::uint64_t draw_law_key(const Position& p, int reversible, int depth) {
    DEFIANCE_ASSERT(reversible >= 0 && depth >= 0);
    const int reach = reversible + 2 * depth;
    if (reach < min_reversible_limit<Rules> || reach < reversible_limit<Rules>(p)) return 0;
    // The multiples of an odd constant are not 0 and differ for all counts.
    return (static_cast<std::uint64_t>(reversible) + 1) * 0xD6E8FEB86659FD93U;
}

/// True when the draw law could end the game before the win or loss of a database result. Not with
/// men on the board, because their moves restart the count.
template <class Rules>
[[nodiscard]] bool is_spoiled_by_law(const Position& p, const EgdbResult& result, int reversible) {
    DEFIANCE_ASSERT(reversible >= 0);
    return result.dtw && (p.occupied() & ~p.kings) == 0 &&
           reversible + *result.dtw >= reversible_limit<Rules>(p);
}

}  // namespace defiance
