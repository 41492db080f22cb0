#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/combinations.hpp>
#include <defiance/egdb/material.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance {

/// True when neither side can capture in the position. Only of such positions a file keeps the
/// values.
template <class Rules>
[[nodiscard]] bool is_quiet(const Position& black_to_move) {
    return !can_capture<Rules>(black_to_move) &&
           !can_capture<Rules>(
               {black_to_move.black, black_to_move.white, black_to_move.kings, Side::white});
}

/// Numbers the positions of one material with black to move, from 0 to size() - 1 without gaps.
///
/// From the slowest to the fastest: black men on their home row, the other black men, white men
/// among what those leave free, black kings and white kings among the squares left. Each group is
/// ranked by the combinatorial number system in the order of the board's bits.
class SliceIndex {
public:
    static constexpr int max_pieces = max_combined_pieces;

    /// Of 2 to max_pieces pieces.
    explicit SliceIndex(const Material& material);

    [[nodiscard]] const Material& material() const { return material_; }
    /// How many positions there are, captures among them; with 7 pieces up to 1.4 billion, 2.8
    /// billion together with the swapped material.
    [[nodiscard]] std::uint64_t size() const { return offsets_[home_row_size + 1]; }

    /// Positions that differ in kings only follow each other in pages; 1 without kings.
    [[nodiscard]] std::uint64_t page_size() const { return black_kings_ * white_kings_; }

    /// The number of a position of this material with black to move.
    [[nodiscard]] std::uint64_t rank(const Position& p) const { return rank(p, page_of(p)); }

    /// What positions with the same men have in common, for ranking several of them.
    struct Page {
        std::uint64_t first;    ///< number of the first of them
        Bitboard free_squares;  ///< of men
    };
    [[nodiscard]] Page page_of(const Position& p) const;
    /// The same as rank(p) if the position is on this page.
    [[nodiscard]] std::uint64_t rank(const Position& p, const Page& page) const;

    /// The position with this number.
    [[nodiscard]] Position at(std::uint64_t index) const;

    /// Calls visit(index, position) for the numbers from begin to end - 1, in their order.
    template <class Visit>
    void for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const;

private:
    static constexpr int home_row_size = 4;

    struct Split {
        int home_men;
        std::uint64_t rest;
    };
    /// How many black men the numbers around this one have on the home row.
    [[nodiscard]] Split split(std::uint64_t index) const;

    Material material_;
    std::array<std::uint64_t, home_row_size + 2> offsets_{};    // of the first with n men at home
    std::array<std::uint64_t, home_row_size + 1> white_men_{};  // ways to place them
    std::uint64_t black_kings_ = 1;
    std::uint64_t white_kings_ = 1;
};

/// In a table by materials of up to SliceIndex::max_pieces pieces: how many places it has, and that
/// of a material.
inline constexpr std::size_t material_radix = SliceIndex::max_pieces + 1;
inline constexpr std::size_t material_places =
    material_radix * material_radix * material_radix * material_radix;
[[nodiscard]] constexpr std::size_t place_of(const Material& m) {
    DEFIANCE_ASSERT(m.total() <= SliceIndex::max_pieces);
    return ((m.own_men * material_radix + m.own_kings) * material_radix + m.their_men) *
               material_radix +
           m.their_kings;
}

namespace detail {

inline constexpr Bitboard home_row = row(0);
inline constexpr Bitboard middle_rows = ~(row(0) | row(7));
inline constexpr Bitboard white_men_rows = ~row(0);

/// The subset of `size` squares with this number.
[[nodiscard]] Bitboard subset_of(std::uint64_t rank, int size, Bitboard among);

/// The subset after this one, of the same size, by rank; there must be one.
[[nodiscard]] constexpr Bitboard next_subset(Bitboard set, Bitboard among) {
    // The lowest square whose next one in `among` is free moves there, those below it go down.
    Bitboard below = 0;
    for (;;) {
        const Bitboard lowest_bit = set & (0 - set);
        const Bitboard above = among & ~(lowest_bit | (lowest_bit - 1));
        const Bitboard next = above & (0 - above);
        set &= ~lowest_bit;
        if ((set & next) == 0) {
            set |= next;
            break;
        }
        below = (below << 1) | 1;
    }
    for (Bitboard free = among; below != 0; below >>= 1) {
        set |= free & (0 - free);
        free &= free - 1;
    }
    return set;
}

}  // namespace detail

inline SliceIndex::Page SliceIndex::page_of(const Position& p) const {
    DEFIANCE_ASSERT(material_of(p) == material_);
    const Bitboard black_men = p.black & ~p.kings;
    const Bitboard white_men = p.white & ~p.kings;
    const Bitboard home = black_men & detail::home_row;
    const Bitboard others = black_men & ~detail::home_row;
    const auto at_home = static_cast<std::size_t>(count(home));
    std::uint64_t rank = 0;
    if (black_men != 0)
        rank = rank_among(home, detail::home_row) *
                   binomial(24, material_.own_men - static_cast<int>(at_home)) +
               rank_among(others, detail::middle_rows);
    if (white_men != 0)
        rank = rank * white_men_[at_home] + rank_among(white_men, detail::white_men_rows & ~others);
    return {offsets_[at_home] + rank * page_size(), ~(black_men | white_men)};
}

inline std::uint64_t SliceIndex::rank(const Position& p, const Page& page) const {
    const Bitboard black_kings = p.black & p.kings;
    const Bitboard white_kings = p.white & p.kings;
    return page.first + rank_among(black_kings, page.free_squares) * white_kings_ +
           rank_among(white_kings, page.free_squares & ~black_kings);
}

template <class Visit>
void SliceIndex::for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    DEFIANCE_ASSERT(begin <= end && end <= size());
    std::uint64_t index = begin;
    while (index < end) {
        Position p = at(index);
        // Only the fastest group of pieces changes from one number to the next.
        const bool by_white = material_.their_kings != 0;
        const bool by_black = !by_white && material_.own_kings != 0;
        const std::uint64_t group = by_white ? white_kings_ : by_black ? black_kings_ : 1;
        const std::uint64_t group_end = std::min(end, index - index % group + group);
        Bitboard moving = by_white ? p.white & p.kings : p.black & p.kings;
        const Bitboard among = p.empty() | moving;
        for (;;) {
            visit(index, p);
            if (++index == group_end) break;
            const Bitboard next = detail::next_subset(moving, among);
            p.kings = (p.kings & ~moving) | next;
            (by_white ? p.white : p.black) = ((by_white ? p.white : p.black) & ~moving) | next;
            moving = next;
        }
    }
}

}  // namespace defiance
