#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// How many pieces of each kind there are, as the side to move sees them. Positions that are
/// flipped by 180 degrees with the colours exchanged have the same value, so that is all a database
/// has to tell apart.
struct Material {
    std::uint8_t own_men = 0;
    std::uint8_t own_kings = 0;
    std::uint8_t their_men = 0;
    std::uint8_t their_kings = 0;

    [[nodiscard]] constexpr bool operator==(const Material&) const = default;
    [[nodiscard]] constexpr auto operator<=>(const Material&) const = default;

    [[nodiscard]] constexpr int own() const { return own_men + own_kings; }
    [[nodiscard]] constexpr int theirs() const { return their_men + their_kings; }
    [[nodiscard]] constexpr int total() const { return own() + theirs(); }
    [[nodiscard]] constexpr int men() const { return own_men + their_men; }

    /// What the other side sees.
    [[nodiscard]] constexpr Material swapped() const {
        return {their_men, their_kings, own_men, own_kings};
    }
};

/// The material of a position with black to move.
[[nodiscard]] constexpr Material material_of(const Position& p) {
    DEFIANCE_ASSERT(p.side == Side::black && (p.black & p.white) == 0);
    DEFIANCE_ASSERT((p.kings & ~p.occupied()) == 0);
    const auto number = [](Bitboard set) { return static_cast<std::uint8_t>(count(set)); };
    return {number(p.black & ~p.kings), number(p.black & p.kings), number(p.white & ~p.kings),
            number(p.white & p.kings)};
}

/// All materials of this many pieces, 2 to max_pieces_on_board, in which both sides have one, in an
/// order in which each comes after those it can turn into by a promotion; captures lead to fewer
/// pieces. A material and its swapped one follow each other.
[[nodiscard]] std::vector<Material> materials_of(int pieces);

/// What a move can make of a material besides itself swapped, as the next to move sees it: captures
/// of any number of pieces and promotions. Only where both sides still have a piece.
[[nodiscard]] std::vector<Material> successors_of(const Material& material);

/// For the user and file names: `2m1k-0m3k` for two men and a king of the mover against three
/// kings.
[[nodiscard]] std::string to_text(const Material& material);

/// Reads what to_text() writes; nothing when the text is something else or a side has no piece or
/// more than max_pieces_of_side.
[[nodiscard]] std::optional<Material> parse_material(std::string_view text);

}  // namespace defiance
