#include <algorithm>

#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// Looks only at captures, which must be played, so that the evaluation sees no position in which
/// the side to move has one.
template <class Rules>
Score Search<Rules>::Worker::quiescence(const Position& p, Score alpha, Score beta, int ply) {
    if (ply >= max_ply) return evaluate<Rules>(p);
    MoveList moves;
    generate_captures<Rules>(p, moves);
    if (moves.empty()) {
        const Bitboard movable =
            p.side == Side::black ? movers<Side::black>(p) : movers<Side::white>(p);
        if (movable == 0) return lost_in(ply);
        if (count(p.occupied()) <= known_pieces_) return egdb_leaf(p, alpha, beta, ply);
        return lazy_evaluate<Rules>(p, alpha, beta);
    }
    Score best = -score_infinite;
    for (const Move& move : moves) {
        count_node();
        const Score score =
            -quiescence(after<Rules>(p, move), -beta, -std::max(alpha, best), ply + 1);
        if (stopped_) return 0;
        if (score > best) best = score;
        if (best >= beta) break;
    }
    return best;
}

template Score Search<DEFIANCE_GAME>::Worker::quiescence(const Position&, Score, Score, int);

}  // namespace defiance
