#pragma once

#include <defiance/rules/board.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The two ways in which the men of a side go, and the two in which only its kings do.
template <Side S>
struct Ways {
    static constexpr Direction forward_right =
        S == Side::black ? Direction::up_right : Direction::down_right;
    static constexpr Direction forward_left =
        S == Side::black ? Direction::up_left : Direction::down_left;
    static constexpr Direction backward_right = opposite(forward_left);
    static constexpr Direction backward_left = opposite(forward_right);
};

/// Pieces of `movers` that can step to a neighbour square of `targets` in direction D.
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

/// Kings among `kings` that fly in direction D to a piece of `victims` with a square of `empty`
/// behind it.
template <Direction D>
[[nodiscard]] constexpr Bitboard that_can_fly_at(Bitboard kings, Bitboard victims, Bitboard empty) {
    constexpr Direction back = opposite(D);
    Bitboard seen = step<back>(victims & step<back>(empty));
    Bitboard found = seen & kings;
    while ((seen &= empty) != 0) {
        seen = step<back>(seen);
        found |= seen & kings;
    }
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

/// Pieces of side S in the position that can take something, whether or not they may; the cheapest
/// question about captures, asked at every node of the search.
template <class Rules, Side S>
[[nodiscard]] constexpr Bitboard jumpers(const Position& p) {
    using W = Ways<S>;
    const Bitboard own = p.pieces(S);
    const Bitboard theirs = p.pieces(opponent(S));
    const Bitboard empty = p.empty();
    const Bitboard kings = own & p.kings;
    // Where kings hop as men do and men may take anything, one question serves both.
    constexpr bool alike = !Rules::flying_kings && Rules::men_take_kings;
    const Bitboard men = alike ? own : own & ~kings;
    const Bitboard for_men = Rules::men_take_kings ? theirs : theirs & ~p.kings;
    Bitboard found = that_can_jump<W::forward_right>(men, for_men, empty) |
                     that_can_jump<W::forward_left>(men, for_men, empty);
    if constexpr (Rules::men_capture_backwards)
        found |= that_can_jump<W::backward_right>(men, for_men, empty) |
                 that_can_jump<W::backward_left>(men, for_men, empty);
    if (kings == 0) return found;
    if constexpr (!alike)
        found |= detail::kings_that_can_take<Rules, W::forward_right>(kings, theirs, empty) |
                 detail::kings_that_can_take<Rules, W::forward_left>(kings, theirs, empty);
    return found | detail::kings_that_can_take<Rules, W::backward_right>(kings, theirs, empty) |
           detail::kings_that_can_take<Rules, W::backward_left>(kings, theirs, empty);
}

/// Pieces of side S that can make a move without capture, whether or not they may.
template <Side S>
[[nodiscard]] constexpr Bitboard movers(const Position& p) {
    using W = Ways<S>;
    const Bitboard own = p.pieces(S);
    const Bitboard empty = p.empty();
    const Bitboard kings = own & p.kings;
    return that_can_step<W::forward_right>(own, empty) |
           that_can_step<W::forward_left>(own, empty) |
           that_can_step<W::backward_right>(kings, empty) |
           that_can_step<W::backward_left>(kings, empty);
}

}  // namespace defiance
