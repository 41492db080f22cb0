#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/rules/board.hpp>

namespace defiance {

/// Patterns of men: eight overlapping regions of eight squares, from the side of a View. Each
/// square is empty (or holds a king), an own man or an enemy man, so a region has 3^8 patterns,
/// each with a weight of its own.
inline constexpr std::size_t pattern_regions = 8;
inline constexpr std::size_t patterns_per_region = 6561;

namespace detail {

constexpr Bitboard block(int left, int bottom) {
    return (column(left) | column(left + 1) | column(left + 2) | column(left + 3)) &
           (row(bottom) | row(bottom + 1) | row(bottom + 2) | row(bottom + 3));
}

inline constexpr std::array<Bitboard, pattern_regions> region_squares = {
    row(1) | row(2), row(2) | row(3), row(3) | row(4), block(0, 0),
    block(2, 0),     block(4, 0),     block(0, 2),     block(2, 2)};

/// By byte of the men's bitboard: what these men add to the pattern number of each region.
using PatternLanes = std::array<std::uint16_t, pattern_regions>;
using PatternTables = std::array<std::array<PatternLanes, 256>, 4>;

constexpr PatternTables make_pattern_tables() {
    std::array<PatternLanes, 32> of_square{};
    for (std::size_t region = 0; region < pattern_regions; ++region) {
        std::uint16_t digit = 1;
        for (int square : Squares(region_squares[region])) {
            of_square[static_cast<std::size_t>(square)][region] = digit;
            digit = static_cast<std::uint16_t>(digit * 3);
        }
    }
    PatternTables tables{};
    for (std::size_t chunk = 0; chunk < 4; ++chunk)
        for (std::size_t byte = 1; byte < 256; ++byte) {
            const auto lowest_bit = static_cast<std::size_t>(lowest(static_cast<Bitboard>(byte)));
            const PatternLanes& rest = tables[chunk][byte & (byte - 1)];
            for (std::size_t region = 0; region < pattern_regions; ++region)
                tables[chunk][byte][region] = static_cast<std::uint16_t>(
                    rest[region] + of_square[chunk * 8 + lowest_bit][region]);
        }
    return tables;
}

alignas(16) inline constexpr PatternTables pattern_tables = make_pattern_tables();

constexpr void add_lanes(PatternLanes& sum, const PatternLanes& more) {
    for (std::size_t i = 0; i < pattern_regions; ++i)
        sum[i] = static_cast<std::uint16_t>(sum[i] + more[i]);
}

constexpr PatternLanes sum_lanes(Bitboard men) {
    PatternLanes sum = pattern_tables[0][men & 255U];
    add_lanes(sum, pattern_tables[1][men >> 8 & 255U]);
    add_lanes(sum, pattern_tables[2][men >> 16 & 255U]);
    add_lanes(sum, pattern_tables[3][men >> 24]);
    return sum;
}

}  // namespace detail

/// The pattern number, 0 to 6560, of each region.
[[nodiscard]] constexpr std::array<std::uint16_t, pattern_regions> patterns_of(Bitboard own_men,
                                                                               Bitboard their_men) {
    DEFIANCE_ASSERT((own_men & their_men) == 0);
    detail::PatternLanes patterns = detail::sum_lanes(own_men);
    const detail::PatternLanes theirs = detail::sum_lanes(their_men);
    detail::add_lanes(patterns, theirs);
    detail::add_lanes(patterns, theirs);
    DEFIANCE_ASSERT(patterns[0] < patterns_per_region);
    return patterns;
}

}  // namespace defiance
