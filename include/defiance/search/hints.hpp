#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <defiance/rules/move.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// True when `search_moves` is empty or contains the move.
[[nodiscard]] inline bool permits(const std::vector<Move>& search_moves, const Move& move) {
    return search_moves.empty() ||
           std::find(search_moves.begin(), search_moves.end(), move) != search_moves.end();
}

/// A hinted move is played unless another one is better by more than this: 0.20 man.
inline constexpr Score hint_margin = score_of_man / 5;

/// What somebody else knows about the position that is searched, such as an opening book or a
/// database on the network. All moves are legal where they stand. It never changes a score that the
/// search finds, only where it looks and what it prefers.
struct SearchHints {
    /// A move to search first, and to play unless another is better by more than hint_margin.
    /// Ignored with SearchLimits::all_scores.
    std::optional<Move> move;
    /// Play `move` at once instead, unless the endgame databases know that it gives something away.
    bool is_trusted = false;
    /// The best play: these moves are tried first in the positions along the line.
    std::vector<Move> line;
    /// What the line is worth for the side to move, within +-evaluation_limit: where the search
    /// expects its own score.
    std::optional<Score> score;
    int depth = 0;  ///< of the search that found `score`; a deeper one does not need it
    std::vector<Move> search_moves;  ///< the moves to choose among; empty: all of them
};

}  // namespace defiance
