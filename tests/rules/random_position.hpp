#pragma once

#include <cstddef>

#include <defiance/base/random.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/position.hpp>

namespace defiance::testing {

/// Puts up to 12 pieces of each side on random squares; `king_percent` of them are kings. Never a
/// position with a fault.
inline Position random_position(Random& random, int king_percent) {
    Position p;
    p.side = random.below(2) == 0 ? Side::black : Side::white;
    for (const Side side : {Side::black, Side::white}) {
        Bitboard& pieces = side == Side::black ? p.black : p.white;
        for (int left = 1 + random.below(12); left > 0;) {
            const Bitboard square = bit(random.below(32));
            if ((p.occupied() & square) != 0) continue;
            const bool must_be_king = (square & crowning_row_of(side)) != 0;
            pieces |= square;
            if (must_be_king || random.below(100) < king_percent) p.kings |= square;
            --left;
        }
    }
    return p;
}

/// A position that random play from the start reaches after up to 60 plies.
template <class Rules>
Position random_play(Random& random) {
    Position p = start_position(Rules::first_side);
    for (int plies = random.below(60); plies > 0; --plies) {
        MoveList moves;
        generate_moves<Rules>(p, moves);
        if (moves.empty()) break;
        p = after<Rules>(
            p, moves[static_cast<std::size_t>(random.below(static_cast<int>(moves.size())))]);
    }
    return p;
}

}  // namespace defiance::testing
