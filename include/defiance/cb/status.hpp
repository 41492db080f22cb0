#pragma once

#include <string>
#include <string_view>

#include <defiance/engine/engine.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// Longest text ever put into the status line, in bytes without the end mark.
inline constexpr std::size_t max_status_bytes = 1000;

/// Longest text that getmove leaves there. CheckerBoard may keep it as the comment of the move, add
/// up to 39 bytes ("; CB declared draw by 3-fold repetition"), and copy all of it, after a blank,
/// into a buffer of 256 bytes when the move is taken back (CheckerBoard.c of 1.75 and 1.77,
/// MOVESBACK and MOVESFORWARD).
inline constexpr std::size_t max_kept_status_bytes = 210;

/// The status line of a think(): `value=`, the principal variation or, with `all_scores`, every
/// move with its value, then depth, nodes, speed and time. What a user wants to see comes first,
/// because CheckerBoard's window shows some 60 characters.
///
/// Values are for the side to move: `+12` in 1/100 man, `draw`, `won in 17 moves`, `won`, `lost in
/// 9 moves` or `lost`, in the winner's own moves; `?` where a move was not searched. A
/// forced move begins the line with `only move`, one from the book with `book move`, one that was
/// hinted and is played with `book hint` or `endgame hint`.
///
/// One line, no braces and no quotation marks (CheckerBoard stores it in PDN comments), always with
/// a `=` (it logs no other lines), at most max_status_bytes bytes, or max_kept_status_bytes when it
/// is the last one of a think(): moves that do not fit are left out.
[[nodiscard]] std::string status_line(const GameRules& rules, const Position& root,
                                      const SearchInfo& thinking, bool all_scores);

/// Puts a text into CheckerBoard's buffer of 1024 bytes, which its other thread may be reading: it
/// is terminated at every moment. Cut to max_status_bytes; null `str` does nothing.
void write_status(char* str, std::string_view text);

}  // namespace defiance
