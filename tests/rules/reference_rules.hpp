#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace defiance::testing {

/// The rules a second time, written for plainness and with nothing taken from the library:
/// whatever both agree on is hardly wrong by the same mistake.
struct ReferenceGame {
    enum class Choice { any, king_first, most, most_then_kings, italian };

    bool flying_kings = false;
    bool men_capture_backwards = false;
    bool men_take_kings = true;
    bool crowned_in_passing = false;
    Choice choice = Choice::any;
};

/// The rules of the game with this number of CheckerBoard's.
[[nodiscard]] ReferenceGame reference_game(int game_type);

/// The board is an array of numbers: 0 empty, 1 black man, 2 black king, -1 white man, -2 white
/// king. Squares are numbered as in English draughts, whatever the game.
struct ReferenceBoard {
    std::array<std::array<int, 8>, 8> piece{};  ///< [y][x], y = 0 is the black home row
    int side = 1;                               ///< 1 black to move, -1 white

    /// The piece on the square with this number, 1 to 32.
    int& at(int number);
};

/// A move by the numbers of its squares; the captured ones are in rising order.
struct ReferenceMove {
    int from = 0;
    int to = 0;
    bool crowned_on_the_way = false;  ///< and not on the last row at the end
    std::vector<int> captured;
    auto operator<=>(const ReferenceMove&) const = default;
};

/// Every legal move, each with the number of ways to carry it out.
[[nodiscard]] std::map<ReferenceMove, int> reference_moves(const ReferenceGame& game,
                                                           const ReferenceBoard& board);

/// The board after a move of reference_moves.
[[nodiscard]] ReferenceBoard reference_after(ReferenceBoard board, const ReferenceMove& move);

/// The number of move sequences of `depth` plies.
[[nodiscard]] std::uint64_t reference_perft(const ReferenceGame& game, const ReferenceBoard& board,
                                            int depth);

}  // namespace defiance::testing
