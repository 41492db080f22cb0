#pragma once

#include <string>
#include <vector>

#include <defiance/engine/game_core.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

// Quick searches with a small table of their own, which do not touch the engine. Safe from any
// thread.

/// Advice in plain words for the side to move in the last position of the game: one line below 250
/// bytes, no quotation marks. What `endgames` know they judge; null: none. Takes about a tenth of a
/// second, and longer if databases wait for a disk.
[[nodiscard]] std::string advice_for(const GameCore& core, const Game& game,
                                     const EndgameDatabases* endgames = nullptr);

/// The legal moves in the order of a search of a few plies, best first; in any order where even the
/// first ply would take too long, as with many flying kings. Takes milliseconds, some hundredths of
/// a second at most, and is deterministic.
[[nodiscard]] std::vector<Move> ranked_moves(const GameCore& core, const Position& position);

}  // namespace defiance
