#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// Razoring (Birmingham and Kent 1977): near the leaves a position whose evaluation lies far below
/// alpha is given up, for instance after a sacrifice that brings nothing soon. Not with few pieces,
/// because a win may be proven in spite of the material.
template <class Rules>
std::optional<Score> Search<Rules>::Worker::razoring(const Position& p, Score alpha, int depth,
                                                     int ply) {
    const SearchParameters& parameters = limits_.parameters;
    if (depth > parameters.razoring_depth || is_proven(alpha)) return std::nullopt;
    if (count(p.occupied()) <= parameters.razoring_pieces) return std::nullopt;
    DEFIANCE_ASSERT(depth >= 1 && !limits_.solve);
    const Score score = evaluate(p, ply);
    if (score + parameters.razoring_margin * depth > alpha) return std::nullopt;
    return score;
}

/// ProbCut (Buro 1995): cuts off when a verification search of half the depth exceeds beta by a
/// margin. Not inside a verification for the same side: nested ones halve the depth each time and
/// become too shallow to see a sacrifice of the opponent. Not when the side to move is losing with
/// few pieces left, because a defence that only seems to hold would hide the proof of the loss.
template <class Rules>
std::optional<Score> Search<Rules>::Worker::probcut(const Position& p, Score beta, int depth,
                                                    int ply) {
    const SearchParameters& parameters = limits_.parameters;
    bool& is_verifying = run_.is_verifying[static_cast<std::size_t>(p.side)];
    if (is_verifying || depth < parameters.probcut_depth || is_proven(beta)) return std::nullopt;
    if (beta < -parameters.probcut_losing && count(p.occupied()) <= parameters.probcut_pieces)
        return std::nullopt;
    DEFIANCE_ASSERT(!limits_.solve);
    const Score probcut_beta = beta + parameters.probcut_margin;
    if (evaluate(p, ply) < probcut_beta) return std::nullopt;
    is_verifying = true;
    const Score score = search<NodeType::non_pv>(p, probcut_beta - 1, probcut_beta, depth / 2, ply);
    is_verifying = false;
    if (run_.stopped || score < probcut_beta) return std::nullopt;
    return score;
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

/// Enhanced transposition cutoff (Plaat et al. 1996): a score of at least beta that the table entry
/// of a child proves.
template <class Rules>
std::optional<Score> Search<Rules>::Worker::enhanced_transposition_cutoff(const Position& p,
                                                                          const MoveList& moves,
                                                                          const ChildKeys& keys,
                                                                          Score beta, int depth,
                                                                          int ply) {
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
        if (-hit->score >= beta) return -hit->score;
    }
    return std::nullopt;
}

/// What cuts off a non-pv node before any of its moves is searched; meaningless once the search is
/// stopped. `keys` are needed from depth 2 on.
template <class Rules>
std::optional<Score> Search<Rules>::Worker::early_cutoff(const Position& p, const MoveList& moves,
                                                         const ChildKeys& keys, Score alpha,
                                                         Score beta, int depth, int ply) {
    if (!moves[0].is_capture() && !limits_.solve) {
        // A forced move costs no depth, so what it brings is soon seen.
        if (moves.size() > 1)
            if (const auto score = razoring(p, alpha, depth, ply)) return score;
        if (const auto score = probcut(p, beta, depth, ply)) return score;
        if (run_.stopped) return std::nullopt;
    }
    if (depth < 2) return std::nullopt;
    return enhanced_transposition_cutoff(p, moves, keys, beta, depth, ply);
}

template void Search<DEFIANCE_GAME>::Worker::prefetch_children(const Position&, const MoveList&,
                                                               int, int, ChildKeys&);
template std::optional<Score> Search<DEFIANCE_GAME>::Worker::early_cutoff(const Position&,
                                                                          const MoveList&,
                                                                          const ChildKeys&, Score,
                                                                          Score, int, int);

}  // namespace defiance
