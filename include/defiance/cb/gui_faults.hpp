#pragma once

#include <defiance/rules/board.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {

// What CheckerBoard (up to 1.77a) does wrong in games other than English, and what it takes to live
// with it.

/// False where CheckerBoard reads the squares of a move list as other squares than it writes them:
/// Czech. Without a list it asks islegal and carries out the CBmove that getmove fills in.
[[nodiscard]] constexpr bool can_announce_moves(const GameRules& rules) {
    constexpr int czech = 29;
    return rules.game_type != czech;
}

/// True where CheckerBoard sets up its three-move openings with wrong squares: it turns English
/// square numbers round by 33 - n for every game that White opens, although White has the low
/// numbers already in Spanish and Czech. It then carries out what islegal describes, even if
/// islegal says no.
[[nodiscard]] constexpr bool has_wrong_openings(const GameRules& rules) {
    return rules.first_side == Side::white && rules.number(index_of({7, 7})) <= 12;
}

}  // namespace defiance
