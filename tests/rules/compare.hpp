#pragma once

#include <cstddef>
#include <map>

#include <defiance/rules/board.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/position.hpp>

#include "reference_rules.hpp"

namespace defiance::testing {

inline ReferenceBoard reference_of(const Position& p) {
    ReferenceBoard board;
    board.side = p.side == Side::black ? 1 : -1;
    for (int square : Squares(p.occupied())) {
        const int rank = (p.kings & bit(square)) != 0 ? 2 : 1;
        board.at(Numbering<English>::number(square)) = (p.black & bit(square)) != 0 ? rank : -rank;
    }
    return board;
}

inline ReferenceMove reference_of(const Move& move) {
    ReferenceMove same{Numbering<English>::number(move.from),
                       Numbering<English>::number(move.to),
                       move.crowned,
                       {}};
    for (int number = 1; number <= 32; ++number)
        if ((move.captured & bit(Numbering<English>::index(number))) != 0)
            same.captured.push_back(number);
    return same;
}

}  // namespace defiance::testing
