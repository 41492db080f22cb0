#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The index of the square that a text such as "14" names; in games with algebraic squares also
/// "c3" (a1 is White's left corner), in either case. Nothing when it names no square.
[[nodiscard]] std::optional<int> find_square(const GameRules& rules, std::string_view text);

/// What stands between `[FEN "` and `"]`, trimmed; any of the brackets, the word and the quotes may
/// be missing. Else the text itself, trimmed.
[[nodiscard]] std::string_view without_fen_tag(std::string_view text);

/// Reads a PDN FEN such as `W:WK12,27:B21,K24` in the numbering of the game: the side to move, then
/// the squares of the two colours in either order, K for kings, ranges such as 1-12, an optional
/// final stop; letters of either case, white space around the parts. In games with algebraic
/// squares (GameRules::algebraic_squares) those are read too: `W:WKf2,c3:Bd6`.
///
/// The tag of PDN may be around it, see without_fen_tag(). Parts after the pieces such as `:H0:F1`,
/// with which lidraughts counts moves, are passed over.
///
/// The position may be an impossible one: see find_fault. The error says why the text is not a FEN.
/// Input of any length is safe.
[[nodiscard]] Result<Position> parse_fen(const GameRules& rules, std::string_view text);

/// In what order a FEN names the squares of a colour.
enum class FenOrder {
    men_first,  ///< men, then kings, each with rising numbers
    by_number   ///< rising numbers with kings among the men, as CheckerBoard writes it
};

/// The FEN of the position, white first, no final stop.
[[nodiscard]] std::string to_fen(const GameRules& rules, const Position& position,
                                 FenOrder order = FenOrder::men_first);

}  // namespace defiance
