#pragma once

#include <vector>

#include <defiance/engine/game_core.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// The legal moves, the most promising first, as a search of a few plies finds them: milliseconds.
/// The same order at every call, whatever the engine has done before.
[[nodiscard]] std::vector<Move> ranked_moves(const GameCore& core, const Position& position);

}  // namespace defiance
