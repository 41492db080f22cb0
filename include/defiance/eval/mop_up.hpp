#pragma once

#include <array>
#include <cstddef>

#include <defiance/eval/score.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {

namespace detail {

/// Sum over the hunters of the king steps to a square beside the nearest hunted piece, on an empty
/// board, of which no two squares are more than 7 steps apart.
constexpr int steps_between(Bitboard hunters, Bitboard hunted) {
    using enum Direction;
    int steps = 0;
    DEFIANCE_ASSERT(hunted != 0);
    Bitboard zone = hunted;
    for (int n = 1; n <= 7 && (hunters & ~zone) != 0; ++n) {
        zone |= step<up_right>(zone) | step<up_left>(zone) | step<down_right>(zone) |
                step<down_left>(zone);
        // Each step adds one for every hunter that is more than n steps away.
        steps += count(hunters & ~zone);
    }
    return steps;
}

}  // namespace detail

/// Few enough pieces for mop_up() to matter.
inline constexpr int max_mop_up_pieces = 8;

/// Mop-up evaluation of an ending, for the side to move. Games of self-play are too fast to win
/// endings with few kings, so a network does not know that they are won. The side with more pieces
/// gets a bonus, larger against fewer, less something for each step from its kings to the enemy's,
/// which draws them there: from -344 (from afar) to 160 for that side. 0 with more than
/// max_mop_up_pieces, when a side has no king, and when the weaker side has four or more pieces.
/// docs/strength.md has the games that chose the numbers.
[[nodiscard]] inline Score mop_up(const Position& p) {
    constexpr std::array<Score, 4> lead_bonus = {0, 160, 110, 60};  // by pieces of the weaker side
    constexpr Score per_step = 12;
    if (count(p.occupied()) > max_mop_up_pieces) return 0;
    const bool is_mover_ahead = count(p.own()) > count(p.theirs());
    const Bitboard strong = is_mover_ahead ? p.own() : p.theirs();
    const Bitboard weak = is_mover_ahead ? p.theirs() : p.own();
    const auto weak_count = static_cast<std::size_t>(count(weak));
    const Bitboard hunters = strong & p.kings;
    const Bitboard hunted = weak & p.kings;
    if (count(strong) <= count(weak) || weak_count >= lead_bonus.size() || hunters == 0 ||
        hunted == 0)
        return 0;
    const Score score = lead_bonus[weak_count] - per_step * detail::steps_between(hunters, hunted);
    return is_mover_ahead ? score : -score;
}

}  // namespace defiance
