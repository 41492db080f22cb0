#pragma once

#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance {

/// True when a position is drawn after so many plies of king moves without a capture. A side
/// without a move has lost before the law is asked.
template <class Rules>
[[nodiscard]] bool is_drawn_by_law(const Position& p, int reversible) {
    return reversible >= min_reversible_limit<Rules> && reversible >= reversible_limit<Rules>(p) &&
           count_moves<Rules>(p) != 0;
}

/// What sets table entries apart that the draw law may have a part in: to be xor-ed with the key of
/// a node of this depth. 0 as long as no line of the node's search can reach the law, so ordinary
/// positions share entries whatever the count is. Lines may be twice as long as the depth, because
/// the forced moves of one side cost none.
template <class Rules>
[[nodiscard]] std::uint64_t draw_law_key(const Position& p, int reversible, int depth) {
    DEFIANCE_ASSERT(reversible >= 0 && depth >= 0);
    const int reach = reversible + 2 * depth;
    if (reach < min_reversible_limit<Rules> || reach < reversible_limit<Rules>(p)) return 0;
    // A multiple of an odd number with many bits: neither 0 nor the same for two counts.
    return (static_cast<std::uint64_t>(reversible) + 1) * 0xD6E8FEB86659FD93U;
}

/// True when the draw law could end the game before a database's win or loss at its distance. Where
/// men can move or pieces are given up on the way the count begins anew, so the answer is no then.
template <class Rules>
[[nodiscard]] bool is_spoiled_by_law(const Position& p, const EgdbResult& result, int reversible) {
    return result.dtw && (p.occupied() & ~p.kings) == 0 &&
           reversible + *result.dtw >= reversible_limit<Rules>(p);
}

}  // namespace defiance
