#pragma once

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/draws.hpp>

namespace defiance::detail {

/// True when the draw law could end the game before a database's win or loss at its distance. Where
/// men can move or pieces are given up on the way the count begins anew, so the answer is no then.
template <class Rules>
[[nodiscard]] bool is_spoiled_by_law(const Position& p, const EgdbResult& result, int reversible) {
    return result.dtw && (p.occupied() & ~p.kings) == 0 &&
           reversible + *result.dtw >= reversible_limit<Rules>(p);
}

}  // namespace defiance::detail
