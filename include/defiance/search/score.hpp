#pragma once

#include <defiance/base/assert.hpp>
#include <defiance/eval/score.hpp>

namespace defiance {

/// The maximum distance of a node from the root, in plies.
inline constexpr int max_ply = 192;
/// The deepest iteration, in plies.
inline constexpr int max_depth = 160;

/// A win in n plies scores score_win - n for the winner and the negative for the loser.
inline constexpr Score score_win = 30000;
/// Beyond every score: the bound of an open window.
inline constexpr Score score_infinite = 31000;
inline constexpr Score score_draw = 0;
/// The least score that means a proven win: max_ply from the search, and as much again from a
/// database that adds a distance to the ply of a node.
inline constexpr Score min_win = score_win - 2 * max_ply;

/// The score of a side that has lost so many plies from the root.
[[nodiscard]] constexpr Score lost_in(int plies) {
    DEFIANCE_ASSERT(plies >= 0);
    return plies - score_win;
}
[[nodiscard]] constexpr bool is_proven_win(Score score) {
    return score >= min_win;
}
[[nodiscard]] constexpr bool is_proven_loss(Score score) {
    return score <= -min_win;
}
/// A proven win or loss.
[[nodiscard]] constexpr bool is_proven(Score score) {
    return is_proven_win(score) || is_proven_loss(score);
}
/// Plies to the end of the game, for a proven score.
[[nodiscard]] constexpr int plies_to_end(Score score) {
    return score_win - (score < 0 ? -score : score);
}

/// True when no deeper search than one of this depth can improve the score.
[[nodiscard]] constexpr bool is_final(Score score, int depth) {
    return is_proven(score) && plies_to_end(score) <= depth;
}

/// A win that an endgame database knows without its distance scores between these for the winner,
/// higher when it looks nearer to the end.
inline constexpr Score min_known_win = evaluation_limit + 1000;
inline constexpr Score max_known_win = min_win - 1000;

/// A win that is proven or known from a database.
[[nodiscard]] constexpr bool is_decided_win(Score score) {
    return score >= min_known_win;
}
/// The same for a loss.
[[nodiscard]] constexpr bool is_decided_loss(Score score) {
    return score <= -min_known_win;
}
[[nodiscard]] constexpr bool is_decided(Score score) {
    return is_decided_win(score) || is_decided_loss(score);
}

static_assert(evaluation_limit < min_known_win && min_known_win < max_known_win &&
              max_known_win < min_win);

}  // namespace defiance
