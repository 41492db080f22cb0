#pragma once

#include <vector>

#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The legal moves, the most promising first, as a search of a few plies finds them: milliseconds.
/// The same order at every call, whatever the engine has done before.
template <class Rules>
[[nodiscard]] std::vector<Move> ranked_moves(const Position& position);

}  // namespace defiance
