#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tools/match/match_game.hpp>

namespace defiance {

/// The game at its beginning.
[[nodiscard]] std::unique_ptr<MatchGame> game_from_start(const GameKind& kind);

/// True when the side to move can capture, which it must then do.
[[nodiscard]] bool has_capture(const MatchGame& game);

/// Plays a random legal move; there must be one.
void play_random_move(MatchGame& game, std::uint64_t& seed);

/// Positions from random games, each with a move, the same at every call.
[[nodiscard]] std::vector<Position> random_positions(const GameKind& kind, std::size_t count);

/// The start position, and some in which captures, promotions and kings are to be played.
[[nodiscard]] std::vector<Position> telling_positions(const GameKind& kind);

/// A position early in a game, with a choice of moves and nothing to capture: no opening book knows
/// it and nobody sees its end.
[[nodiscard]] Position thoughtful_position(const GameKind& kind);

}  // namespace defiance
