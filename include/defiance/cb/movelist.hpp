#pragma once

#include <string>

#include <defiance/rules/position.hpp>

namespace defiance {

/// The reply to `get movelist`: `movelist N,` and for each move
/// `jumps,old piece,new piece,from,to[,landed,captured,piece]...;`, numbers in CheckerBoard's
/// numbering; `movelist 0` without a move. CheckerBoard has room for 28 moves and 1023 bytes: what
/// is beyond is left out, whole moves from the end.
template <class Rules>
[[nodiscard]] std::string movelist_text(const Position& position);

}  // namespace defiance
