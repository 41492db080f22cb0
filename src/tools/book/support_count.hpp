#pragma once

#include <vector>

#include <defiance/book/book_move.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {

/// Fills in the support of the moves: how many of the positions lie behind them, those after a move
/// included, several times where several lines lead to them. All positions have black to move.
/// Lines may be as long as there are positions.
void count_support(const GameRules& rules, std::vector<BookPosition>& positions);

}  // namespace defiance
