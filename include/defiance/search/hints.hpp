#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <defiance/rules/move.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// True when the move is one of those to choose among; without any all are.
[[nodiscard]] inline bool permits(const std::vector<Move>& only, const Move& move) {
    return only.empty() || std::find(only.begin(), only.end(), move) != only.end();
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
    /// The best play: these moves are tried first where the search comes by.
    std::vector<Move> line;
    /// What the line is worth for the side to move, within +-evaluation_limit: where the search
    /// expects its own score.
    std::optional<Score> score;
    int depth = 0;           ///< of the search that found `score`; a deeper one does not need it
    std::vector<Move> only;  ///< the moves to choose among; empty: all of them
};

}  // namespace defiance
