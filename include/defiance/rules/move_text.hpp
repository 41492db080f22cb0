#pragma once

#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// How much of a capture to write.
enum class MoveTextStyle {
    full,      ///< every landing square: `2x11x18`
    shortened  ///< start and end only, `2x18`, unless another capture has the same two squares
};

/// The move in the numbering of the game: `11-15`, `2x11x18`.
[[nodiscard]] std::string to_text(const GameRules& rules, const Position& position,
                                  const Move& move, MoveTextStyle style = MoveTextStyle::full);

/// The legal move that the text names in this position: start square, end square and, for captures,
/// none, some or all of the squares between, in order; '-', 'x', ':' and an en dash are the same.
/// In games with algebraic squares those are read too, also with nothing between them: `c3d4`.
/// Error when the text is no move, the move is not legal, or several legal moves fit it and make a
/// difference. A text with every landing square means that capture and never a longer one that
/// passes the same squares.
[[nodiscard]] Result<Move> parse_move(const GameRules& rules, const Position& position,
                                      std::string_view text);

/// Whether parse_move() refuses the text because several legal moves fit it.
[[nodiscard]] bool is_ambiguous(const GameRules& rules, const Position& position,
                                std::string_view text);

}  // namespace defiance
