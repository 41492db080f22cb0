#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/base/bitboard.hpp>

// The combinatorial number system, by which databases number the ways to place pieces of a kind.
namespace defiance {

/// The most pieces of a kind that are placed together.
inline constexpr int max_combined_pieces = 8;

namespace detail {

/// [n][k]: ways to choose k of n.
constexpr std::array<std::array<std::uint32_t, max_combined_pieces + 1>, 33> make_binomials() {
    std::array<std::array<std::uint32_t, max_combined_pieces + 1>, 33> table{};
    for (std::size_t n = 0; n <= 32; ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= max_combined_pieces && n > 0; ++k)
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}
inline constexpr auto binomials = make_binomials();

}  // namespace detail

/// In how many ways `k` (0 to max_combined_pieces) of `n` squares (0 to 32) can be chosen.
[[nodiscard]] constexpr std::uint32_t binomial(int n, int k) {
    DEFIANCE_ASSERT(n >= 0 && n <= 32 && k >= 0 && k <= max_combined_pieces);
    return detail::binomials[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

/// The number of a set of up to max_combined_pieces of the squares `among`, from 0, among the sets
/// of as many of them: in the order of the highest square, then of the next one and so on.
[[nodiscard]] constexpr std::uint64_t rank_among(Bitboard set, Bitboard among) {
    DEFIANCE_ASSERT((set & ~among) == 0 && count(set) <= max_combined_pieces);
    std::uint64_t rank = 0;
    std::size_t chosen = 1;
    for (; set != 0; set &= set - 1, ++chosen) {
        const auto below = static_cast<std::size_t>(count(among & ((set & (0 - set)) - 1)));
        rank += detail::binomials[below][chosen];
    }
    return rank;
}

}  // namespace defiance
