#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <defiance/engine/game_core.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// False where CheckerBoard (up to 1.77a) reads the squares of a move list as other squares than it
/// writes them: Czech. Without a list it asks islegal, and carries out the CBmove that getmove
/// fills in.
[[nodiscard]] constexpr bool can_announce_moves(const GameRules& rules) {
    constexpr int czech = 29;
    return rules.game_type != czech;
}

/// The moves of a position that CheckerBoard hears of. It plays no others, whoever wants them.
struct Announcement {
    std::vector<Move> moves;
    bool is_whole = true;  ///< all legal moves are in it
    std::string records;   ///< of the moves, see text()

    /// The reply to `get movelist`: `movelist N,` and for each move
    /// `jumps,old piece,new piece,from,to[,landed,captured,piece]...;`, numbers in CheckerBoard's
    /// numbering; `movelist 0` without a move.
    [[nodiscard]] std::string text() const;
};

/// All legal moves if they fit: CheckerBoard has room for 28 moves, 1023 bytes and 11 jumps in a
/// move. Otherwise the most promising ones as far as they fit (engine/ranking.hpp). The same at
/// every call for the same position.
///
/// No position of play is known in which captures have to be left out; quiet moves of three and
/// more flying kings often have to be.
[[nodiscard]] Announcement announce_moves(const GameCore& core, const Position& position);

}  // namespace defiance
