#pragma once

#include <defiance/rules/game.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// True when the move leads into a position that the game has had since its last irreversible move.
/// A database that knows positions and no games may name such a move again and again, until the
/// game is drawn, although it is won.
[[nodiscard]] bool repeats_position(const Game& game, const Move& move);

}  // namespace defiance
