#pragma once

#include <optional>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/egdb/material.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance::gui {

/// A position that the side to move wins.
struct WonPosition {
    Position position;
    std::optional<int> plies;  ///< to the end of the game, where that is known
};

/// Draws endings at random that the side to move wins: every other one with 5 pieces, the rest with
/// 2 to 4, all materials alike, captures pending or not.
template <class Rules>
class WonPositions {
public:
    WonPositions(const Endgames<Rules>& endgames, std::uint64_t seed)
        : endgames_(endgames), random_(seed) {}

    [[nodiscard]] WonPosition next() {
        constexpr int turns = 8;
        constexpr int pieces_in_turn[turns] = {5, 4, 5, 3, 5, 4, 5, 2};
        const int pieces = pieces_in_turn[number_++ % turns];
        while (true) {
            const std::vector<Material> materials = materials_of(pieces);
            if (const auto found = draw(materials[random_.below(materials.size())])) return *found;
        }
    }

private:
    /// A won position with these pieces; nothing when there seems to be none. Every other one is
    /// the longest win of several: most are over within a few moves. With 5 pieces those whose
    /// distance is known, that is where a capture is pending, are few.
    std::optional<WonPosition> draw(const Material& material) {
        constexpr int attempts = 300;
        constexpr int min_plies = 5;
        const bool may_be_known = material.total() < 5 || random_.below(4) == 0;
        int wanted = random_.below(2) == 0 ? 1 : 10;
        std::optional<WonPosition> longest;
        for (int i = 0; i < attempts && wanted > 0; ++i) {
            const auto won = judged(random_position(material));
            if (!won || (won->plies && !may_be_known)) continue;
            if (!won->plies) return won;
            if (*won->plies >= min_plies) --wanted;
            if (!longest || *won->plies > *longest->plies) longest = won;
        }
        const bool is_short = longest && *longest->plies < min_plies;
        return is_short && random_.below(4) != 0 ? std::nullopt : longest;
    }

    std::optional<WonPosition> judged(const Position& position) const {
        constexpr std::size_t max_positions = 20000;
        if (count_moves<Rules>(position) == 0) return std::nullopt;
        const auto result = endgames_.resolve(position, max_positions);
        if (!result || result->wld != Wld::win) return std::nullopt;
        return WonPosition{position, result->dtw};
    }

    Position random_position(const Material& material) {
        Position p;
        const Bitboard black_men = place(material.own_men, ~crowning_row_of(Side::black));
        const Bitboard white_men =
            place(material.their_men, ~crowning_row_of(Side::white) & ~black_men);
        const Bitboard men = black_men | white_men;
        const Bitboard black_kings = place(material.own_kings, ~men);
        const Bitboard white_kings = place(material.their_kings, ~men & ~black_kings);
        p.black = black_men | black_kings;
        p.white = white_men | white_kings;
        p.kings = black_kings | white_kings;
        p.side = Side::black;
        return random_.below(2) == 0 ? p : flipped(p);
    }

    Bitboard place(int pieces, Bitboard free) {
        constexpr std::size_t squares = 32;
        Bitboard placed = 0;
        while (count(placed) < pieces)
            placed |= bit(static_cast<int>(random_.below(squares))) & free;
        return placed;
    }

    const Endgames<Rules>& endgames_;
    Random random_;
    std::size_t number_ = 0;
};

}  // namespace defiance::gui
