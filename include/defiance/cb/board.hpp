#pragma once

#include <defiance/base/result.hpp>
#include <defiance/cb/api.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// CheckerBoard's board and colour as a position. Error: why that is no position of a game. A side
/// may have lost its last piece, see has_lost_all().
[[nodiscard]] Result<Position> read_board(const int board[8][8], int color);

/// True when there is no fault in the position but that one of the sides has no pieces: the game is
/// over, and the other side can still move.
[[nodiscard]] bool has_lost_all(const Position& position);

/// Writes the pieces of the position onto the playable squares of the board.
void write_board(const Position& position, int board[8][8]);

/// CheckerBoard's code of the piece on a square (an index); 0 when it is empty.
[[nodiscard]] int piece_code(const Position& position, int square);

/// A legal move of the position in CheckerBoard's terms; every field is filled in. Of several ways
/// to take the same pieces it is the first (rules/path.hpp).
[[nodiscard]] CBmove describe_legal_move(const GameRules& rules, const Position& position,
                                         const Move& move);

/// A description that leaves the board as it is. CheckerBoard carries out what getmove has left,
/// also when getmove found no move; all zeros would take the piece in the corner off. Null is
/// allowed.
[[nodiscard]] CBmove describe_nothing(const int board[8][8]);

}  // namespace defiance
