#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <defiance/engine/game_core.hpp>
#include <defiance/rules/czech.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// False where CheckerBoard (up to 1.77a) reads the squares of a move list as other squares than it
/// writes them: Czech. Without a list it asks islegal, and carries out the CBmove that getmove
/// fills in.
[[nodiscard]] constexpr bool can_report_moves(const GameRules& rules) {
    return rules.game_type != Czech::game_type;
}

/// The moves of a position that CheckerBoard is told. It plays no others, of the user's or ours.
struct ReportedMoves {
    std::vector<Move> moves;
    bool is_complete = true;  ///< these are all legal moves
    std::string records;      ///< of the moves, see text()

    /// The reply to `get movelist`: `movelist N,` and for each move
    /// `jumps,old piece,new piece,from,to[,landed,captured,piece]...;`, numbers in CheckerBoard's
    /// numbering; `movelist 0` without a move.
    [[nodiscard]] std::string text() const;
};

/// All legal moves if they fit: CheckerBoard has room for 28 moves, 1023 bytes and 11 jumps in a
/// move. Otherwise the most promising ones as far as they fit, and in any case the first that the
/// generator gives, which exports.cpp plays when memory runs out. The same at every call for the
/// same position.
///
/// Three and more flying kings often have too many quiet moves; no position of play is known with
/// too many captures.
[[nodiscard]] ReportedMoves report_moves(const GameCore& core, const Position& position);

/// The same without the search that tells which are promising, for when there is no memory for it.
[[nodiscard]] ReportedMoves report_any_moves(const GameRules& rules, const Position& position);

}  // namespace defiance
