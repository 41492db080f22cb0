#pragma once

#include <optional>

#include <defiance/book/book_move.hpp>
#include <defiance/egdb/probe.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// What a position or move is worth in the position database: hundredths of a man, for the side to
/// move. 30000-n is a proven win in n plies, 25000-n a win that a database knows with n plies to
/// its next capture or move of a man, 24000 one with an unknown distance; negative for a loss.
using DatabaseScore = int;

inline constexpr DatabaseScore proven_score = 30000;
inline constexpr DatabaseScore conversion_score = conversion_book_score;
inline constexpr DatabaseScore unknown_distance_score = 24000;
/// Beyond it a score stands for a certain win.
inline constexpr DatabaseScore certain_score = 10000;

[[nodiscard]] constexpr bool is_certain(DatabaseScore score) {
    return score > certain_score || score < -certain_score;
}

/// True for a score that tells in how many plies the game ends, or the next conversion comes.
[[nodiscard]] constexpr bool has_known_end(DatabaseScore score) {
    return score > unknown_distance_score || score < -unknown_distance_score;
}

/// The score of a search, whose man is worth 300 points.
[[nodiscard]] DatabaseScore database_score(Score score);

/// The score of what an endgame database says, in a position at the given distance from the end.
[[nodiscard]] DatabaseScore database_score(const EgdbResult& result);

/// The score for the player of a move, from the score for the opponent after it: a ply further
/// from the end.
[[nodiscard]] DatabaseScore score_of_move(DatabaseScore score_after);

/// Which scores are good beside the best one, as Chess Cloud Database has it: at least this. Where
/// the best is below -50 even that one is not.
[[nodiscard]] double good_threshold(DatabaseScore best);
/// Which are as good as the best.
[[nodiscard]] double best_threshold(DatabaseScore best);

/// 2 for a good move that is as good as the best, 1 for another good one, 0 for one that is not
/// good.
[[nodiscard]] int rank_of(DatabaseScore score, DatabaseScore best);

/// The expected result in percent; nothing from certain_score on, for either side.
[[nodiscard]] std::optional<double> win_rate(DatabaseScore score);

}  // namespace defiance
