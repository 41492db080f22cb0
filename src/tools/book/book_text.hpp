#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/book/book_move.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {

/// A position of a book as a line of text, without its end: `FEN; 11-15 4 22 130; 9-14 -3 17`:
/// each move with its score, its depth, and its support where it has any.
[[nodiscard]] std::string book_line(const GameRules& rules, const BookPosition& entry);

/// Reads such lines; empty ones and those that begin with # do not count, nor does a byte order
/// mark. Error: the first fault, with the number of its line. Any bytes are safe.
[[nodiscard]] Result<std::vector<BookPosition>> read_book_lines(const GameRules& rules,
                                                                std::string_view text);

}  // namespace defiance
