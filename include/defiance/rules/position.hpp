#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <defiance/rules/board.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// The most pieces on the board, and of one side.
inline constexpr int max_pieces_of_side = 12;
inline constexpr int max_pieces_on_board = 2 * max_pieces_of_side;

/// The pieces on the board and the side to move. A plain value: a move makes a new position, and
/// nothing is ever unmade.
struct Position {
    Bitboard black = 0;  ///< squares of all black pieces
    Bitboard white = 0;  ///< squares of all white pieces
    Bitboard kings = 0;  ///< the kings among both; always a part of black | white
    Side side = Side::black;

    [[nodiscard]] constexpr bool operator==(const Position&) const = default;

    /// The invariant of every position: no square holds two pieces, and every king is a piece.
    [[nodiscard]] constexpr bool is_consistent() const {
        return (black & white) == 0 && (kings & ~(black | white)) == 0;
    }

    [[nodiscard]] constexpr Bitboard occupied() const { return black | white; }
    [[nodiscard]] constexpr Bitboard men() const { return occupied() & ~kings; }
    [[nodiscard]] constexpr Bitboard empty() const { return ~occupied(); }
    [[nodiscard]] constexpr Bitboard pieces(Side s) const {
        return s == Side::black ? black : white;
    }
    [[nodiscard]] constexpr Bitboard own() const { return pieces(side); }
    [[nodiscard]] constexpr Bitboard theirs() const { return pieces(opponent(side)); }
};

/// The same position for the other colour: board turned by 180 degrees, colours exchanged.
[[nodiscard]] constexpr Position flipped(const Position& p) {
    DEFIANCE_ASSERT(p.is_consistent());
    return {reversed(p.white), reversed(p.black), reversed(p.kings), opponent(p.side)};
}

/// The same position with black to move: itself, or flipped.
[[nodiscard]] constexpr Position with_black_to_move(const Position& p) {
    return p.side == Side::black ? p : flipped(p);
}

/// The twelve men of each side on their first three rows; `first` is the side that opens the game.
[[nodiscard]] constexpr Position start_position(Side first) {
    return {row(0) | row(1) | row(2), row(5) | row(6) | row(7), 0, first};
}

/// The position after a legal move. Not checked: the move must come from the generator for this
/// position.
template <class Rules>
[[nodiscard]] constexpr Position after(const Position& p, const Move& move) {
    DEFIANCE_ASSERT(p.is_consistent());
    const Bitboard from = bit(move.from);
    const Bitboard to = bit(move.to);
    DEFIANCE_ASSERT((p.own() & from) != 0);
    DEFIANCE_ASSERT(((p.occupied() & ~from) & to) == 0);
    DEFIANCE_ASSERT((move.captured & ~p.theirs()) == 0);
    const bool black_moves = p.side == Side::black;
    // Without branches: this runs at every node, and the side to move is hard to predict.
    const Bitboard own = (p.own() & ~from) | to;
    const Bitboard theirs = p.theirs() & ~move.captured;
    bool is_king = (p.kings & from) != 0;
    if constexpr (Rules::crowned_in_passing) is_king |= move.crowned;
    const Bitboard crowned = is_king ? to : to & crowning_row_of(p.side);
    return {black_moves ? own : theirs, black_moves ? theirs : own,
            (p.kings & ~from & ~move.captured) | crowned, opponent(p.side)};
}

/// True for a king's move without a capture. Only after such moves can a position be repeated, and
/// only they count for the draw rules.
[[nodiscard]] constexpr bool is_reversible(const Position& before, const Move& move) {
    DEFIANCE_ASSERT((before.own() & bit(move.from)) != 0);
    return move.captured == 0 && (before.kings & bit(move.from)) != 0;
}

/// True for the move of a man that ends on the row where it is crowned.
[[nodiscard]] constexpr bool is_crowning(const Position& before, const Move& move) {
    DEFIANCE_ASSERT((before.own() & bit(move.from)) != 0);
    return (before.kings & bit(move.from)) == 0 &&
           (bit(move.to) & crowning_row_of(before.side)) != 0;
}

/// The 64-bit hash key of the position and its side to move, the same on every build. Uses the
/// finishing steps of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, 2014).
[[nodiscard]] constexpr std::uint64_t key_of(const Position& p) {
    DEFIANCE_ASSERT(p.is_consistent());
    std::uint64_t key = (std::uint64_t{p.white} << 32) | p.black;
    key ^= p.kings * 0x9E3779B97F4A7C15U;
    key += p.side == Side::black ? 0 : 0x6A09E667F3BCC909U;
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9U;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBU;
    return key ^ (key >> 31);
}

/// For tables of positions.
struct PositionHash {
    std::size_t operator()(const Position& p) const { return static_cast<std::size_t>(key_of(p)); }
};

/// What makes a board impossible in every game type.
enum class PositionFault : std::uint8_t {
    too_many_black,       ///< more than 12 black pieces
    too_many_white,       ///< more than 12 white pieces
    man_on_crowning_row,  ///< a man on the row where it is crowned
    no_black,             ///< not one black piece
    no_white              ///< not one white piece
};

/// The first fault of the position in the order of the enumeration, or nothing. The
/// last two are games that are over, whose moves are still defined.
[[nodiscard]] std::optional<PositionFault> find_fault(const Position& position);

/// The fault in words for the user, without a final stop.
[[nodiscard]] std::string_view describe(PositionFault fault);

}  // namespace defiance
