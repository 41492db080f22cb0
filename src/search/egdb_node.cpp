#include <algorithm>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// The database result of a position after `reversible` plies without progress; nothing when it is
/// not known or the draw law could spoil it. The distance of a win is looked up where the window
/// (alpha, beta) or the draw law can tell one win from another.
template <class Rules>
std::optional<EgdbResult> Search<Rules>::Worker::probe_egdb(const Position& p, Score alpha,
                                                            Score beta, int reversible) {
    DEFIANCE_ASSERT(may_be_in_egdb(p) && endgames_ != nullptr);
    bool slow = false;
    const bool has_men = p.men() != 0;
    const bool dtw = !has_men || is_decided(alpha) || is_decided(beta);
    const auto result = endgames_->probe(p, {dtw, root_pieces_ <= egdb_pieces_, &slow});
    // A probe that waits for a disk takes longer than the nodes between two polls.
    if (slow) poll();
    if (!result) return std::nullopt;
    if (is_spoiled_by_law<Rules>(p, *result, reversible)) return std::nullopt;
    // The score of a win with a distance must lie above those of wins without one; see min_win.
    if (result->dtw > max_ply) return EgdbResult{result->wld, {}};
    return result;
}

/// The score of a database result at a node, or a bound on it where the window (alpha, beta) lies
/// between all wins and all losses. A win without a known distance scores higher with fewer
/// pieces, which leads the search to endings whose distances are known.
template <class Rules>
Score Search<Rules>::Worker::egdb_score(const Position& p, const EgdbResult& result, Score alpha,
                                        Score beta, int ply) {
    if (result.wld == Wld::draw) return score_draw;
    const bool wins = result.wld == Wld::win;
    if (!is_decided(alpha) && !is_decided(beta)) return wins ? min_known_win : -min_known_win;
    DEFIANCE_ASSERT(!result.dtw || *result.dtw >= (wins ? 1 : 0));
    if (result.dtw) {
        const Score score = score_win - ply - *result.dtw;
        return wins ? score : -score;
    }
    constexpr Score per_piece = 300;
    constexpr int max_pieces = 12;
    constexpr Score max_by_evaluation = 1500;
    constexpr Score middle = (min_known_win + max_known_win) / 2;
    // Whatever the pieces and the evaluation, the score is one of a known win.
    static_assert(middle - 2 * max_by_evaluation - max_ply >= min_known_win);
    static_assert(middle + per_piece * max_pieces <= max_known_win);
    const Score by_evaluation = std::clamp(evaluate(p, ply), -max_by_evaluation, max_by_evaluation);
    const Score base = middle - max_by_evaluation +
                       per_piece * std::max(0, max_pieces - count(p.occupied())) - ply;
    return wins ? base + by_evaluation : by_evaluation - base;
}

/// The score by which a database result ends the search of a node: its value, or a bound that cuts
/// it off. With as many pieces as at the root and no known distance the search must find the way to
/// the win itself.
template <class Rules>
std::optional<Score> Search<Rules>::Worker::egdb_cutoff(const Position& p, Score alpha, Score beta,
                                                        int ply) {
    DEFIANCE_ASSERT(alpha < beta);
    const auto result = probe_egdb(p, alpha, beta, stack_.reversible(ply));
    if (!result) return std::nullopt;
    const bool is_end = result->wld == Wld::loss && !result->dtw &&
                        (is_decided(alpha) || is_decided(beta)) && count_moves<Rules>(p) == 0;
    if (is_end) return lost_in(ply);
    if (result->wld == Wld::draw || result->dtw || count(p.occupied()) < root_pieces_)
        return egdb_score(p, *result, alpha, beta, ply);
    if (result->wld == Wld::win)
        return min_known_win >= beta ? std::optional(min_known_win) : std::nullopt;
    return -min_known_win <= alpha ? std::optional(-min_known_win) : std::nullopt;
}

template std::optional<EgdbResult> Search<DEFIANCE_GAME>::Worker::probe_egdb(const Position&, Score,
                                                                             Score, int);
template Score Search<DEFIANCE_GAME>::Worker::egdb_score(const Position&, const EgdbResult&, Score,
                                                         Score, int);
template std::optional<Score> Search<DEFIANCE_GAME>::Worker::egdb_cutoff(const Position&, Score,
                                                                         Score, int);

}  // namespace defiance
