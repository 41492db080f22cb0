#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tools/support/cb_game.hpp>

namespace defiance {

/// True when the side to move can capture, which it must then do.
[[nodiscard]] bool has_capture(const CbGame& game);

/// Plays a random legal move; there must be one.
void play_random_move(CbGame& game, std::uint64_t& seed);

/// Positions from random games, each with a move, the same at every call.
[[nodiscard]] std::vector<Position> random_positions(const GameRules& rules, std::size_t count);

/// The start position, and some in which captures, promotions and kings are to be played.
[[nodiscard]] std::vector<Position> varied_positions(const GameRules& rules);

/// A position early in a game, with a choice of moves and no capture: no opening book contains
/// it and no search reaches the end of the game from it.
[[nodiscard]] Position unforced_position(const GameRules& rules);

}  // namespace defiance
