#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// Razoring (Birmingham and Kent 1977): near the leaves a position whose evaluation lies far below
/// alpha is given up, for instance after a sacrifice that brings nothing soon. Not with few pieces,
/// because a win may be proven in spite of the material.
template <class Rules>
bool Search<Rules>::Worker::razoring(const Position& p, Score alpha, int depth, int ply,
                                     Score& score) {
    const SearchParameters& parameters = limits_.parameters;
    if (depth > parameters.razoring_depth || is_proven(alpha)) return false;
    if (count(p.occupied()) <= parameters.razoring_pieces) return false;
    DEFIANCE_ASSERT(depth >= 1 && !limits_.solve);
    score = evaluate(p, ply);
    return score + parameters.razoring_margin * depth <= alpha;
}

/// ProbCut (Buro 1995): cuts off when a verification search of half the depth exceeds beta by a
/// margin. Not inside a verification for the same side: nested ones halve the depth each time and
/// become too shallow to see a sacrifice of the opponent. Not when the side to move is losing with
/// few pieces left, because a defence that only seems to hold would hide the proof of the loss.
template <class Rules>
bool Search<Rules>::Worker::probcut(const Position& p, Score beta, int depth, int ply,
                                    Score& score) {
    const SearchParameters& parameters = limits_.parameters;
    bool& is_verifying = is_verifying_[static_cast<std::size_t>(p.side)];
    if (is_verifying || depth < parameters.probcut_depth || is_proven(beta)) return false;
    if (beta < -parameters.probcut_losing && count(p.occupied()) <= parameters.probcut_pieces)
        return false;
    DEFIANCE_ASSERT(!is_proven(-beta) && !limits_.solve);
    const Score probcut_beta = beta + parameters.probcut_margin;
    if (evaluate(p, ply) < probcut_beta) return false;
    is_verifying = true;
    score = search<NodeType::non_pv>(p, probcut_beta - 1, probcut_beta, depth / 2, ply);
    is_verifying = false;
    return !stopped_ && score >= probcut_beta;
}

/// Computes the keys of the children and prefetches their table entries; docs/strength.md ("Speed")
/// has what that gains.
template <class Rules>
void Search<Rules>::Worker::prefetch_children(const Position& p, const MoveList& moves,
                                              int child_depth, int ply, ChildKeys& keys) {
    DEFIANCE_ASSERT(child_depth >= 1 && moves.size() <= keys.size());
    const TranspositionTable& table = table_for(child_depth);
    const int if_reversible = stack_.reversible(ply) + 1;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Position next = after<Rules>(p, moves[i]);
        keys[i] = key_of(next);
        const int reversible = is_reversible(p, moves[i]) ? if_reversible : 0;
        table.prefetch(table_key(keys[i], next, reversible, child_depth));
    }
}

/// Enhanced transposition cutoff (Plaat et al. 1996): true when the table entry of a child proves a
/// score of at least beta.
template <class Rules>
bool Search<Rules>::Worker::enhanced_transposition_cutoff(const Position& p, const MoveList& moves,
                                                          const ChildKeys& keys, Score beta,
                                                          int depth, int ply, Score& score) {
    const TranspositionTable& table = table_for(depth - 1);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        // A king's move may lead to a repetition, which the table does not see.
        if (is_reversible(p, moves[i])) continue;
        const Position next = after<Rules>(p, moves[i]);
        DEFIANCE_ASSERT(keys[i] == key_of(next));
        const auto hit = table.probe(table_key(keys[i], next, 0, depth - 1), ply + 1);
        if (!hit || hit->depth < depth - 1 || hit->bound == Bound::lower) continue;
        DEFIANCE_ASSERT(hit->bound != Bound::none);  // those have depth 0
        if (is_spoiled(*hit, next, 0, ply + 1)) continue;
        if (-hit->score >= beta) {
            score = -hit->score;
            return true;
        }
    }
    return false;
}

template bool Search<DEFIANCE_GAME>::Worker::razoring(const Position&, Score, int, int, Score&);
template bool Search<DEFIANCE_GAME>::Worker::probcut(const Position&, Score, int, int, Score&);
template void Search<DEFIANCE_GAME>::Worker::prefetch_children(const Position&, const MoveList&,
                                                               int, int, ChildKeys&);
template bool Search<DEFIANCE_GAME>::Worker::enhanced_transposition_cutoff(const Position&,
                                                                           const MoveList&,
                                                                           const ChildKeys&, Score,
                                                                           int, int, Score&);

}  // namespace defiance
