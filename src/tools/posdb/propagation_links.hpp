#pragma once

#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// Positions from which one of these pieces of the side that is not to move may have come to where
/// it is by a quiet move. From some of them it could not: the caller must look at their moves.
[[nodiscard]] std::vector<Position> quiet_origins(const GameRules& rules, const Position& position,
                                                  Bitboard pieces);

}  // namespace defiance
