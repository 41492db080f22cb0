#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <defiance/base/bitboard.hpp>

namespace defiance {

/// The player of the black men (they start on rows y = 0..2 and move up) or of the white ones
/// (rows 5..7, moving down). The same for every game type, as CheckerBoard places them.
enum class Side : std::uint8_t { black, white };

[[nodiscard]] constexpr Side opponent(Side side) {
    return side == Side::black ? Side::white : Side::black;
}

/// A square of the 8x8 board as CheckerBoard counts it: x from left to right, y from bottom to top,
/// both 0 to 7, (0,0) playable; a square is playable when x + y is even.
struct Coordinate {
    int x = 0;
    int y = 0;
    [[nodiscard]] constexpr bool operator==(const Coordinate&) const = default;
};

/// The four diagonal steps. Black men move up.
enum class Direction : std::uint8_t { up_right, up_left, down_right, down_left };

inline constexpr std::array<Direction, 4> all_directions = {
    Direction::up_right, Direction::up_left, Direction::down_right, Direction::down_left};

[[nodiscard]] constexpr Direction opposite(Direction direction) {
    switch (direction) {
        case Direction::up_right:
            return Direction::down_left;
        case Direction::up_left:
            return Direction::down_right;
        case Direction::down_right:
            return Direction::up_left;
        default:
            return Direction::up_right;
    }
}

/// The bit of each square. One step up-right is a rotation of the 32 bits by 1 to the left and one
/// step up-left a rotation by 7, from every square, so each step is one mask and one rotation on
/// odd and even rows alike. With the offset 12, reversing the bits turns the board by 180 degrees.
[[nodiscard]] constexpr int index_of(Coordinate c) {
    DEFIANCE_ASSERT(c.x >= 0 && c.x < 8 && c.y >= 0 && c.y < 8 && (c.x + c.y) % 2 == 0);
    return (12 + (c.x + c.y) / 2 + 7 * ((c.y - c.x) / 2) + 64) % 32;
}

[[nodiscard]] constexpr bool is_playable(Coordinate c) {
    return c.x >= 0 && c.x < 8 && c.y >= 0 && c.y < 8 && (c.x + c.y) % 2 == 0;
}

namespace detail {

constexpr std::array<Coordinate, 32> make_coordinates() {
    std::array<Coordinate, 32> table{};
    for (int y = 0; y < 8; ++y)
        for (int x = y % 2; x < 8; x += 2)
            table[static_cast<unsigned>(index_of({x, y}))] = {x, y};
    return table;
}

inline constexpr std::array<Coordinate, 32> coordinates = make_coordinates();

constexpr Coordinate moved(Coordinate c, Direction direction) {
    switch (direction) {
        case Direction::up_right:
            return {c.x + 1, c.y + 1};
        case Direction::up_left:
            return {c.x - 1, c.y + 1};
        case Direction::down_right:
            return {c.x + 1, c.y - 1};
        default:
            return {c.x - 1, c.y - 1};
    }
}

constexpr Bitboard make_source_mask(Direction direction) {
    Bitboard mask = 0;
    for (int i = 0; i < 32; ++i)
        if (is_playable(moved(coordinates[static_cast<unsigned>(i)], direction))) mask |= bit(i);
    return mask;
}

/// Squares from which a step in the direction stays on the board.
template <Direction D>
inline constexpr Bitboard source_mask = make_source_mask(D);

}  // namespace detail

/// By how much a step in the direction raises the index, modulo 32.
template <Direction D>
inline constexpr int index_distance = D == Direction::up_right    ? 1
                                      : D == Direction::up_left   ? 7
                                      : D == Direction::down_left ? 31
                                                                  : 25;

/// The coordinate of the square with this index (0 to 31).
[[nodiscard]] constexpr Coordinate coordinate_of(int index) {
    DEFIANCE_ASSERT(index >= 0 && index < 32);
    return detail::coordinates[static_cast<unsigned>(index)];
}

/// All squares of the set moved one step; those that would leave the board are dropped.
template <Direction D>
[[nodiscard]] constexpr Bitboard step(Bitboard set) {
    return std::rotl(set & detail::source_mask<D>, index_distance<D>);
}

/// The same for a direction known at run time only; slower.
[[nodiscard]] constexpr Bitboard step(Direction direction, Bitboard set) {
    switch (direction) {
        case Direction::up_right:
            return step<Direction::up_right>(set);
        case Direction::up_left:
            return step<Direction::up_left>(set);
        case Direction::down_right:
            return step<Direction::down_right>(set);
        default:
            return step<Direction::down_left>(set);
    }
}

/// The squares of one row, y = 0 (the black home row) to 7.
[[nodiscard]] constexpr Bitboard row(int y) {
    DEFIANCE_ASSERT(y >= 0 && y < 8);
    Bitboard set = 0;
    for (int x = y % 2; x < 8; x += 2)
        set |= bit(index_of({x, y}));
    return set;
}

/// The squares of one column, x = 0 (left) to 7.
[[nodiscard]] constexpr Bitboard column(int x) {
    DEFIANCE_ASSERT(x >= 0 && x < 8);
    Bitboard set = 0;
    for (int y = x % 2; y < 8; y += 2)
        set |= bit(index_of({x, y}));
    return set;
}

/// The row on which a man of this side becomes a king.
template <Side S>
inline constexpr Bitboard crowning_row = S == Side::black ? row(7) : row(0);

[[nodiscard]] constexpr Bitboard crowning_row_of(Side side) {
    return side == Side::black ? crowning_row<Side::black> : crowning_row<Side::white>;
}

/// True for the numbers that squares have in every game: 1 to 32. A number read from somewhere may
/// be asked about as it is, however large.
[[nodiscard]] constexpr bool is_square_number(std::int64_t number) {
    return number >= 1 && number <= 32;
}

/// The square numbers of a game and the board indices they stand for.
template <class Rules>
class Numbering {
public:
    /// Number of the square with this index (0 to 31).
    [[nodiscard]] static constexpr int number(int index) {
        return Rules::square_number(coordinate_of(index));
    }
    /// Index of the square with this number, which must be 1 to 32.
    [[nodiscard]] static constexpr int index(int number) {
        DEFIANCE_ASSERT(is_square_number(number));
        return indices_[static_cast<unsigned>(number)];
    }

private:
    static constexpr std::array<int, 33> make_indices() {
        std::array<int, 33> table{};
        for (int i = 0; i < 32; ++i)
            table[static_cast<unsigned>(number(i))] = i;
        return table;
    }
    static constexpr std::array<int, 33> indices_ = make_indices();
};

static_assert(coordinate_of(index_of({7, 7})) == Coordinate{7, 7});
static_assert(reversed(row(0)) == row(7) && reversed(column(2)) == column(5));
static_assert(step<Direction::up_right>(bit(index_of({2, 2}))) == bit(index_of({3, 3})));
static_assert(step<Direction::down_right>(bit(index_of({2, 2}))) == bit(index_of({3, 1})));

}  // namespace defiance
