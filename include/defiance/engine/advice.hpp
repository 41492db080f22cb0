#pragma once

#include <string>
#include <vector>

#include <defiance/engine/game_core.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

// Quick searches with a small table of their own, which leave the engine as it is. May be called
// from any thread.

/// Advice in plain words for the side to move: one line below 250 bytes, no quotation marks. Takes
/// about a tenth of a second.
[[nodiscard]] std::string hint_for(const GameCore& core, const Position& position);

/// The legal moves, the most promising first, as a search of a few plies finds them: milliseconds.
/// The same order at every call.
[[nodiscard]] std::vector<Move> ranked_moves(const GameCore& core, const Position& position);

}  // namespace defiance
