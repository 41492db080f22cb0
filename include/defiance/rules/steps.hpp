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
[[nodiscard]] constexpr Bits that_can_step(Bits movers, Bits targets) {
    return movers & step<opposite(D)>(targets);
}

/// Pieces of `movers` that can jump in direction D over one of `victims` to one of `landings`.
template <Direction D>
[[nodiscard]] constexpr Bits that_can_jump(Bits movers, Bits victims, Bits landings) {
    return movers & step<opposite(D)>(victims & step<opposite(D)>(landings));
}

/// Pieces of side S in the position that have a capture; the cheapest question about captures,
/// asked at every node of the search.
template <Side S>
[[nodiscard]] constexpr Bits jumpers(const Position& p) {
    using W = Ways<S>;
    const Bits own = p.pieces(S);
    const Bits theirs = p.pieces(opponent(S));
    const Bits empty = p.empty();
    Bits found = that_can_jump<W::forward_right>(own, theirs, empty) |
                 that_can_jump<W::forward_left>(own, theirs, empty);
    const Bits kings = own & p.kings;
    if (kings != 0)
        found |= that_can_jump<W::backward_right>(kings, theirs, empty) |
                 that_can_jump<W::backward_left>(kings, theirs, empty);
    return found;
}

/// Pieces of side S that can make a move without capture, whether or not they may.
template <Side S>
[[nodiscard]] constexpr Bits movers(const Position& p) {
    using W = Ways<S>;
    const Bits own = p.pieces(S);
    const Bits empty = p.empty();
    const Bits kings = own & p.kings;
    return that_can_step<W::forward_right>(own, empty) |
           that_can_step<W::forward_left>(own, empty) |
           that_can_step<W::backward_right>(kings, empty) |
           that_can_step<W::backward_left>(kings, empty);
}

}  // namespace defiance
