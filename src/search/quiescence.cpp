#include <algorithm>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// Searches captures only, which are compulsory, so that only positions in which the side to move
/// has none are evaluated. The position is reached after `reversible` plies without progress.
template <class Rules>
Score Search<Rules>::Worker::quiescence(const Position& p, Score alpha, Score beta, int ply,
                                        int reversible) {
    DEFIANCE_ASSERT(alpha < beta && ply > 0 && reversible >= 0);
    DEFIANCE_ASSERT(p.is_consistent());
    accumulators_.set(ply, p);
    if (ply >= max_ply) return evaluate(p, ply);
    if (is_drawn_by_law<Rules>(p, reversible)) {
        if (const auto bound = DrawByLawScore::cutoff(alpha, beta)) return *bound;
        return DrawByLawScore::of(quiescence(p, DrawByLawScore::alpha_without_law(alpha),
                                             DrawByLawScore::beta_without_law(beta), ply, 0));
    }
    MoveList moves;
    generate_captures<Rules>(p, moves);
    if (moves.empty()) {
        const Bitboard movable =
            p.side == Side::black ? movers<Side::black>(p) : movers<Side::white>(p);
        if (movable == 0) return lost_in(ply);
        if (may_be_in_egdb(p))
            if (const auto result = probe_egdb(p, alpha, beta, reversible))
                return egdb_score(p, *result, alpha, beta, ply);
        return evaluate(p, ply);
    }
    if (moves.size() == 1) accumulators_.mark_forced(ply);
    Score best = -score_infinite;
    for (const Move& move : moves) {
        count_node();
        const Score score =
            -quiescence(after<Rules>(p, move), -beta, -std::max(alpha, best), ply + 1, 0);
        if (run_.stopped) return 0;
        if (score > best) best = score;
        if (best >= beta) break;
    }
    DEFIANCE_ASSERT(best >= -score_win && best <= score_win);
    return best;
}

template Score Search<DEFIANCE_GAME>::Worker::quiescence(const Position&, Score, Score, int, int);

}  // namespace defiance
