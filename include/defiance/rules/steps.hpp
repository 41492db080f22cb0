#pragma once

#include <defiance/rules/board.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The directions of a side: its men move forward only.
template <Side S>
struct Directions {
    static constexpr Direction forward_right =
        S == Side::black ? Direction::up_right : Direction::down_right;
    static constexpr Direction forward_left =
        S == Side::black ? Direction::up_left : Direction::down_left;
    static constexpr Direction backward_right = opposite(forward_left);
    static constexpr Direction backward_left = opposite(forward_right);
};

/// Pieces of `movers` that can step in direction D to a square of `targets`.
template <Direction D>
[[nodiscard]] constexpr Bitboard that_can_step(Bitboard movers, Bitboard targets) {
    return movers & step<opposite(D)>(targets);
}

/// Pieces of `movers` that can jump in direction D over one of `victims` to one of `landings`.
template <Direction D>
[[nodiscard]] constexpr Bitboard that_can_jump(Bitboard movers, Bitboard victims,
                                               Bitboard landings) {
    return movers & step<opposite(D)>(victims & step<opposite(D)>(landings));
}

namespace detail {

/// Flying kings that can capture a piece of `victims` in direction D.
template <Direction D>
[[nodiscard]] constexpr Bitboard that_can_fly_at(Bitboard kings, Bitboard victims, Bitboard empty) {
    DEFIANCE_ASSERT(((kings | victims) & empty) == 0);
    constexpr Direction back = opposite(D);
    Bitboard seen = step<back>(victims & step<back>(empty));
    Bitboard found = seen;
    // Always all steps: a loop that ends sooner would mispredict its end.
    constexpr int max_empty_between = 5;
    for (int i = 0; i < max_empty_between; ++i) {
        seen = step<back>(seen & empty);
        found |= seen;
    }
    found &= kings;
    return found;
}

template <class Rules, Direction D>
[[nodiscard]] constexpr Bitboard kings_that_can_take(Bitboard kings, Bitboard victims,
                                                     Bitboard empty) {
    if constexpr (Rules::flying_kings)
        return that_can_fly_at<D>(kings, victims, empty);
    else
        return that_can_jump<D>(kings, victims, empty);
}

}  // namespace detail

/// Pieces of side S that can capture, whoever is to move and whatever the capture choice allows.
/// The search asks this at every node.
template <class Rules, Side S>
[[nodiscard]] constexpr Bitboard jumpers(const Position& p) {
    DEFIANCE_ASSERT(p.is_consistent());
    using Go = Directions<S>;
    const Bitboard own = p.pieces(S);
    const Bitboard theirs = p.pieces(opponent(S));
    const Bitboard empty = p.empty();
    const Bitboard kings = own & p.kings;
    // Short kings capture forward as men do when men may capture kings.
    constexpr bool alike = !Rules::flying_kings && Rules::men_take_kings;
    const Bitboard men = alike ? own : own & ~kings;
    const Bitboard for_men = Rules::men_take_kings ? theirs : theirs & ~p.kings;
    Bitboard found = that_can_jump<Go::forward_right>(men, for_men, empty) |
                     that_can_jump<Go::forward_left>(men, for_men, empty);
    if constexpr (Rules::men_capture_backwards)
        found |= that_can_jump<Go::backward_right>(men, for_men, empty) |
                 that_can_jump<Go::backward_left>(men, for_men, empty);
    if (kings == 0) return found;
    if constexpr (!alike)
        found |= detail::kings_that_can_take<Rules, Go::forward_right>(kings, theirs, empty) |
                 detail::kings_that_can_take<Rules, Go::forward_left>(kings, theirs, empty);
    return found | detail::kings_that_can_take<Rules, Go::backward_right>(kings, theirs, empty) |
           detail::kings_that_can_take<Rules, Go::backward_left>(kings, theirs, empty);
}

/// Pieces of side S that can move without capturing, even if a capture is compulsory.
template <Side S>
[[nodiscard]] constexpr Bitboard movers(const Position& p) {
    using Go = Directions<S>;
    const Bitboard own = p.pieces(S);
    const Bitboard empty = p.empty();
    const Bitboard kings = own & p.kings;
    return that_can_step<Go::forward_right>(own, empty) |
           that_can_step<Go::forward_left>(own, empty) |
           that_can_step<Go::backward_right>(kings, empty) |
           that_can_step<Go::backward_left>(kings, empty);
}

}  // namespace defiance
