#include <defiance/egdb/slice_index.hpp>

#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace detail {

namespace {

/// Subsets of this size of 32 things, as masks, by their rank.
template <int Size>
std::vector<Bitboard> make_subsets() {
    std::vector<Bitboard> subsets;
    constexpr Bitboard all = ~Bitboard{0};
    Bitboard set = (Bitboard{1} << Size) - 1;
    for (std::uint32_t rank = 0; rank < binomial(32, Size); ++rank) {
        subsets.push_back(set);
        if (rank + 1 < binomial(32, Size)) set = next_subset(set, all);
    }
    return subsets;
}

/// The same as the tables below for sizes that are too many for a table.
Bitboard subset_without_table(std::uint64_t rank, int size) {
    Bitboard set = 0;
    int square = 32;
    for (int chosen = size; chosen > 0; --chosen) {
        do {
            --square;
        } while (binomial(square, chosen) > rank);
        rank -= binomial(square, chosen);
        set |= bit(square);
    }
    return set;
}

}  // namespace

Bitboard subset_of(std::uint64_t rank, int size, Bitboard among) {
    static const std::vector<Bitboard> tables[] = {make_subsets<0>(), make_subsets<1>(),
                                                   make_subsets<2>(), make_subsets<3>(),
                                                   make_subsets<4>()};
    const auto number = static_cast<std::size_t>(size);
    const Bitboard chosen = number < std::size(tables)
                                ? tables[number][static_cast<std::size_t>(rank)]
                                : subset_without_table(rank, size);
    // A subset of the first squares; each square that is not among them moves those from there on
    // one up.
    Bitboard set = chosen;
    for (Bitboard others = ~among;; others &= others - 1) {
        const Bitboard below = (others & (0 - others)) - 1;
        const Bitboard moving = set & ~below;
        if (moving == 0) break;
        set += moving;
    }
    DEFIANCE_ASSERT(count(set) == size && (set & ~among) == 0);
    return set;
}

}  // namespace detail

SliceIndex::SliceIndex(const Material& material) : material_(material) {
    DEFIANCE_ASSERT(material.own() >= 1 && material.theirs() >= 1 &&
                    material.total() <= max_pieces);
    const int black_men = material.own_men;
    const int free_squares = 32 - material.men();
    black_kings_ = binomial(free_squares, material.own_kings);
    white_kings_ = binomial(free_squares - material.own_kings, material.their_kings);
    for (int at_home = 0; at_home <= home_row_size; ++at_home) {
        const auto i = static_cast<std::size_t>(at_home);
        const int others = black_men - at_home;
        white_men_[i] = others < 0 ? 0 : binomial(28 - others, material.their_men);
        const std::uint64_t black =
            others < 0 ? 0 : std::uint64_t{binomial(4, at_home)} * binomial(24, others);
        offsets_[i + 1] = offsets_[i] + black * white_men_[i] * black_kings_ * white_kings_;
    }
}

SliceIndex::Split SliceIndex::split(std::uint64_t index) const {
    DEFIANCE_ASSERT(index < size());
    int at_home = 0;
    while (index >= offsets_[static_cast<std::size_t>(at_home) + 1])
        ++at_home;
    return {at_home, index - offsets_[static_cast<std::size_t>(at_home)]};
}

Position SliceIndex::at(std::uint64_t index) const {
    auto [at_home, rest] = split(index);
    const auto take = [&rest = rest](std::uint64_t radix) {
        const std::uint64_t digit = rest % radix;
        rest /= radix;
        return digit;
    };
    const int others = material_.own_men - at_home;
    const std::uint64_t white_kings = take(white_kings_);
    const std::uint64_t black_kings = take(black_kings_);
    const std::uint64_t white_men = take(white_men_[static_cast<std::size_t>(at_home)]);
    const std::uint64_t middle = take(binomial(24, others));
    Position p;
    p.side = Side::black;
    const Bitboard in_middle = detail::subset_of(middle, others, detail::middle_rows);
    p.black = in_middle | detail::subset_of(rest, at_home, detail::home_row);
    p.white =
        detail::subset_of(white_men, material_.their_men, detail::white_men_rows & ~in_middle);
    const Bitboard kings = detail::subset_of(black_kings, material_.own_kings, p.empty());
    p.black |= kings;
    p.kings = detail::subset_of(white_kings, material_.their_kings, p.empty());
    p.white |= p.kings;
    p.kings |= kings;
    return p;
}

}  // namespace defiance
