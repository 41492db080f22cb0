#pragma once

#include <bit>
#include <cstdint>

#include <defiance/base/assert.hpp>

namespace defiance {

/// A set of the 32 playable squares, one bit each; rules/board.hpp maps bits to squares.
using Bitboard = std::uint32_t;

/// Number of squares in the set, 0 to 32.
[[nodiscard]] constexpr int count(Bitboard set) {
    return std::popcount(set);
}

/// Index of the lowest square in the set, 0 to 31. The set must not be empty.
[[nodiscard]] constexpr int lowest(Bitboard set) {
    DEFIANCE_ASSERT(set != 0);
    return std::countr_zero(set);
}

/// The set that holds only the square with this index (0 to 31).
[[nodiscard]] constexpr Bitboard bit(int index) {
    DEFIANCE_ASSERT(index >= 0 && index < 32);
    return Bitboard{1} << index;
}

/// Iterates over the square indices of a set, lowest first: `for (int s : Squares(set))`.
class Squares {
public:
    class Iterator {
    public:
        constexpr explicit Iterator(Bitboard rest) : rest_(rest) {}
        constexpr int operator*() const { return lowest(rest_); }
        constexpr Iterator& operator++() {
            DEFIANCE_ASSERT(rest_ != 0);
            rest_ &= rest_ - 1;
            return *this;
        }
        constexpr bool operator!=(const Iterator& other) const { return rest_ != other.rest_; }

    private:
        Bitboard rest_;
    };

    constexpr explicit Squares(Bitboard set) : set_(set) {}
    [[nodiscard]] constexpr Iterator begin() const { return Iterator(set_); }
    [[nodiscard]] constexpr Iterator end() const { return Iterator(0); }

private:
    Bitboard set_;
};

/// The bits in reverse order, which turns the board by 180 degrees.
[[nodiscard]] constexpr Bitboard reversed(Bitboard set) {
    set = ((set >> 1) & 0x55555555U) | ((set & 0x55555555U) << 1);
    set = ((set >> 2) & 0x33333333U) | ((set & 0x33333333U) << 2);
    set = ((set >> 4) & 0x0F0F0F0FU) | ((set & 0x0F0F0F0FU) << 4);
    set = ((set >> 8) & 0x00FF00FFU) | ((set & 0x00FF00FFU) << 8);
    return (set >> 16) | (set << 16);
}

}  // namespace defiance
