#pragma once

#include <array>

#include <defiance/rules/board.hpp>

namespace defiance {

/// Rearranges sets of squares from the bits of our board to those of another, of which a function
/// tells the place of each square.
class SquareOrder {
public:
    explicit constexpr SquareOrder(int (*place)(Coordinate)) {
        for (unsigned byte = 0; byte < 4; ++byte)
            for (unsigned set = 0; set < 256; ++set)
                for (unsigned i = 0; i < 8; ++i)
                    if ((set >> i & 1) != 0)
                        tables_[byte][set] |=
                            bit(place(coordinate_of(static_cast<int>(8 * byte + i))));
    }

    [[nodiscard]] constexpr Bitboard operator()(Bitboard set) const {
        return tables_[0][set & 255] | tables_[1][set >> 8 & 255] | tables_[2][set >> 16 & 255] |
               tables_[3][set >> 24];
    }

private:
    std::array<std::array<Bitboard, 256>, 4> tables_{};
};

}  // namespace defiance
