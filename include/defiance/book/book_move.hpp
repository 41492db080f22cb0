#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// What a move is worth in a book: hundredths of a man, for the player of the move. A proven win
/// in n plies scores proven_book_score - n, a loss the negative.
using BookScore = int;
inline constexpr BookScore proven_book_score = 30000;
/// Beyond it a score tells in how many plies the game ends. Lower ones that stand for a win do not:
/// conversion_book_score - n tells that the next capture or move of a man comes in n plies, or it
/// is not known how far the end is.
inline constexpr BookScore conversion_book_score = 25000;
/// Beyond it a score stands for a certain win.
inline constexpr BookScore certain_book_score = 10000;

/// A move of a position in a book.
struct BookMove {
    Move move{};
    BookScore score = 0;     ///< within +-proven_book_score
    std::uint8_t depth = 0;  ///< plies looked ahead behind the score, at most 255
    /// How many positions after the move were searched too, or games went on with it, at most
    /// max_support; 0: the score is that of one search.
    std::uint8_t support = 0;

    static constexpr std::uint8_t max_support = 255;

    [[nodiscard]] bool operator==(const BookMove&) const = default;
};

/// A position of a book with its moves, the best ones first. Positions that differ only in the
/// colours have one entry, with_black_to_move().
struct BookPosition {
    Position position;
    std::vector<BookMove> moves;
};

/// The same move on the board turned by 180 degrees.
[[nodiscard]] Move turned(const Move& move);

/// The number of a legal move: start square, end square, and its place among the captures between
/// these squares in the order of the pieces taken. The same in all versions of the program.
/// `position` has black to move.
[[nodiscard]] std::uint16_t book_move_code(const GameRules& rules, const Position& position,
                                           const Move& move);
/// The legal move with this number; nothing when there is none.
[[nodiscard]] std::optional<Move> find_book_move(const GameRules& rules, const Position& position,
                                                 std::uint16_t code);

/// The order of moves in a book: the best score first, then the deepest, then by number.
void sort_book_moves(const GameRules& rules, BookPosition& entry);

}  // namespace defiance
