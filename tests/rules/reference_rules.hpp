#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace defiance::testing {

/// English draughts a second time, written for plainness and with nothing taken from the library:
/// whatever both agree on is hardly wrong by the same mistake.
///
/// The board is an array of numbers: 0 empty, 1 black man, 2 black king, -1 white man, -2 white
/// king.
struct ReferenceBoard {
    std::array<std::array<int, 8>, 8> piece{};  ///< [y][x], y = 0 is the black home row
    int side = 1;                               ///< 1 black to move, -1 white

    /// The piece on the square with this number of the game's notation, 1 to 32.
    int& at(int number);
};

/// A move by the numbers of its squares; the captured ones are in rising order.
struct ReferenceMove {
    int from = 0;
    int to = 0;
    std::vector<int> captured;
    auto operator<=>(const ReferenceMove&) const = default;
};

/// Every legal move, each with the number of ways to carry it out.
[[nodiscard]] std::map<ReferenceMove, int> reference_moves(const ReferenceBoard& board);

/// The board after a move of reference_moves.
[[nodiscard]] ReferenceBoard reference_after(ReferenceBoard board, const ReferenceMove& move);

/// The number of move sequences of `depth` plies.
[[nodiscard]] std::uint64_t reference_perft(const ReferenceBoard& board, int depth);

}  // namespace defiance::testing
