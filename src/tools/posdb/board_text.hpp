#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// A board in a request has no more bytes than this, and no more moves after the position. The
/// shortest text has room for that many of the shortest ones.
inline constexpr std::size_t max_board_text = 1024;
inline constexpr int max_board_moves = 250;

/// Reads the board of a request to the position database:
///
/// - a PDN FEN as parse_fen() reads it;
/// - `startpos`, the start position of the game, in quotes or a tag too, see without_fen_tag();
/// - 33 characters as in the Hub protocol, see parse_hub_position(), likewise;
/// - any of these with ` moves 11-15 23x18` after it, see parse_request_move().
///
/// Nothing when it is none of them or no position that can be played on: more than 12 pieces of a
/// colour, a man on its crowning row, no piece at all, or an illegal move.
[[nodiscard]] std::optional<Position> parse_board(const GameRules& rules, std::string_view text);

}  // namespace defiance
