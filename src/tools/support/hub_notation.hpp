#pragma once

#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

// The Hub protocol describes the 10x10 board; on ours it is used as other programs for 8x8 draughts
// use it. White and black are those of CheckerBoard, and squares have the numbers 1 to 32 that they
// have in the game's PDN (GameRules::number):
//
//   1 to 12 are where Black begins, in English, Italian, Russian and Brazilian, and where White
//   begins in Spanish and Czech; the numbers rise row by row towards the other side. Seen from
//   there, each row begins on the left in English, Russian and Brazilian, else on the right.

/// The position as 33 characters: the side to move, W or B, and the squares 1 to 32: `w` and `b`
/// are men, `W` and `B` kings, `e` is an empty square.
[[nodiscard]] std::string to_hub_position(const GameRules& rules, const Position& position);

/// Error: the text is no such position, or an impossible one: more than 12 pieces of a colour, or
/// a man on its crowning row. A side without pieces can be read: it simply has no move.
[[nodiscard]] Result<Position> parse_hub_position(const GameRules& rules, std::string_view text);

/// `11-15`, or for a capture the squares where it begins and ends and then those of all pieces
/// taken, with rising numbers: `2x18x7x15`. This says all about a move: what it takes decides
/// whether a man is crowned on the way.
[[nodiscard]] std::string to_hub_move(const GameRules& rules, const Move& move);

/// The legal move that the text names; the pieces taken may stand in any order. Error: it names
/// none, also when pieces that are taken are left out.
[[nodiscard]] Result<Move> parse_hub_move(const GameRules& rules, const Position& position,
                                          std::string_view text);

}  // namespace defiance
