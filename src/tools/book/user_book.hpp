#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/book/book_move.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {

/// CheckerBoard reads no more positions than this from a user book.
inline constexpr std::size_t max_user_book = 10000;

/// The bytes of a user book of CheckerBoard with the first move of each of the positions, as many
/// as it can take. It keeps no side to move: of two positions with the same pieces the first
/// counts.
[[nodiscard]] std::string make_user_book(const GameRules& rules,
                                         const std::vector<BookPosition>& positions);

/// Reads a user book. The moves get the score 0 and all support. Positions and moves that do
/// not fit the game are left out; `left_out` tells how many. Error: the file is no user book.
struct UserBook {
    std::vector<BookPosition> positions;
    std::size_t left_out = 0;
};
[[nodiscard]] Result<UserBook> read_user_book(const GameRules& rules, std::string_view bytes);

}  // namespace defiance
