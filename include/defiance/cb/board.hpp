#pragma once

#include <defiance/base/result.hpp>
#include <defiance/cb/api.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/path.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// CheckerBoard's board and colour as a position. Error: why that is no position of a game.
[[nodiscard]] Result<Position> read_board(const int board[8][8], int color);

/// Writes the pieces of the position onto the playable squares of the board.
void write_board(const Position& position, int board[8][8]);

/// CheckerBoard's code of the piece on a square (an index); 0 when it is empty.
[[nodiscard]] int piece_code(const Position& position, int square);

/// A legal move from `position` to `next`, carried out along `path`, in CheckerBoard's terms; every
/// field is filled in.
[[nodiscard]] CBmove describe_move(const Position& position, const Position& next, const Move& move,
                                   const Path& path);

/// A description that leaves the board as it is. CheckerBoard may carry out what islegal or getmove
/// left behind even when they say no; all zeros would take the piece in the corner off. Null is
/// allowed.
[[nodiscard]] CBmove describe_nothing(const int board[8][8]);

}  // namespace defiance
