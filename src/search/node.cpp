#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

template <class Rules>
void Search<Rules>::Worker::poll() {
    if (team_ != nullptr) team_->of_main.store(run_.nodes, std::memory_order_relaxed);
    if (!run_.stopped) read_hints();
    if (!run_.stopped)
        run_.stopped = observer_->must_stop(all_nodes()) || all_nodes() >= limits_.nodes;
    const std::uint64_t next = (run_.nodes | (nodes_between_polls - 1)) + 1;
    run_.next_poll = run_.stopped ? UINT64_MAX : std::min(next, limits_.nodes);
    DEFIANCE_ASSERT(run_.next_poll > run_.nodes);
}

/// Late move reduction of a quiet move, in plies; `number` counts the moves from 1. None in solve
/// mode, near the leaves, for the first moves and for a man that is crowned; a ply less at pv
/// nodes. At most depth - 1: quiescence at least follows the move. Moves at the root are never
/// reduced, see search_root().
template <class Rules>
int Search<Rules>::Worker::reduction(const Position& p, const Move& move, int depth, int number,
                                     bool is_pv) const {
    DEFIANCE_ASSERT(number >= 1 && depth >= 1);
    const SearchParameters& parameters = limits_.parameters;
    if (limits_.solve || depth < parameters.reduction_depth ||
        number < parameters.reduction_moves + (is_pv ? 1 : 0))
        return 0;
    DEFIANCE_ASSERT(!move.is_capture());
    if (is_crowning(p, move)) return 0;
    const int plies = reductions_.plies(depth, number) - (is_pv ? 1 : 0);
    return std::clamp(plies, 0, depth - 1);
}

/// Principal variation search of a move that leads to `next` at `ply`; the score is for the side
/// that plays it. The first move gets the full window, later ones a null window and reduced depth,
/// with a re-search when they turn out better than expected.
template <class Rules>
template <NodeType N>
Score Search<Rules>::Worker::search_move(const Position& next, Score alpha, Score beta, int depth,
                                         int ply, int reduction, bool is_first) {
    constexpr bool is_pv = N == NodeType::pv;
    DEFIANCE_ASSERT(reduction >= 0 && reduction <= depth && !(is_first && reduction > 0));
    if (is_first) return -search<N>(next, -beta, -alpha, depth, ply);
    Score score = -search<NodeType::non_pv>(next, -alpha - 1, -alpha, depth - reduction, ply);
    if (reduction > 0 && score > alpha && !run_.stopped)
        score = -search<NodeType::non_pv>(next, -alpha - 1, -alpha, depth, ply);
    if (is_pv && score > alpha && score < beta && !run_.stopped)
        score = -search<NodeType::pv>(next, -beta, -alpha, depth, ply);
    return score;
}

/// The score of a node at which the draw law ends the game.
template <class Rules>
template <NodeType N>
Score Search<Rules>::Worker::search_drawn_by_law(const Position& p, Score alpha, Score beta,
                                                 int depth, int ply) {
    if (const auto bound = DrawByLawScore::cutoff(alpha, beta)) return *bound;
    const int outer_ply = std::exchange(run_.ply_without_law, ply);
    const Score score = search<N>(p, DrawByLawScore::alpha_without_law(alpha),
                                  DrawByLawScore::beta_without_law(beta), depth, ply);
    run_.ply_without_law = outer_ply;
    return DrawByLawScore::of(score);
}

/// Internal iterative deepening: the best move of a shallower search, if it has one.
template <class Rules>
template <NodeType N>
HashMove Search<Rules>::Worker::deepen_internally(const Position& p, Score alpha, Score beta,
                                                  int depth, int ply) {
    const int shallower = depth - limits_.parameters.iid_reduction;
    search<N>(p, alpha, beta, shallower, ply);
    pv_.clear(ply);
    const auto hit = table_for(shallower).probe(table_key(p, shallower, ply), ply);
    return hit ? hit->move : HashMove{};
}

/// The last move that the picker handed out, a quiet one, has cut off its node.
template <class Rules>
void Search<Rules>::Worker::update_history(const Position& p, const MovePicker& picker, int depth,
                                           int ply) {
    const std::size_t tried_before = picker.handed_out() - 1;
    ++run_.cutoffs;
    if (tried_before == 0) ++run_.first_move_cutoffs;
    history_.reward(p.side, picker.handed_out(tried_before), depth, ply);
    for (std::size_t i = 0; i < tried_before; ++i)
        history_.punish(p.side, picker.handed_out(i), depth);
}

/// The score of the node at `ply`, for the side to move: exact inside the window (alpha, beta), a
/// bound outside it. Meaningless once the search is stopped.
template <class Rules>
template <NodeType N>
Score Search<Rules>::Worker::search(const Position& p, Score alpha, Score beta, int depth,
                                    int ply) {
    constexpr bool is_pv = N == NodeType::pv;
    DEFIANCE_ASSERT(alpha < beta && (is_pv || beta == alpha + 1));
    DEFIANCE_ASSERT(ply > 0 && ply <= max_ply && depth <= max_depth);
    DEFIANCE_ASSERT(stack_.key(ply) == key_of(p));
    pv_.clear(ply);
    accumulators_.set(ply, p);

    // Step 1: draws by the rules; leaves.
    if (stack_.is_repetition(ply)) return score_draw;
    if (ply >= max_ply || depth <= 0)
        return quiescence(p, alpha, beta, ply, stack_.reversible(ply));
    if (is_drawn_by_law<Rules>(p, stack_.reversible(ply)) && ply != run_.ply_without_law)
        return search_drawn_by_law<N>(p, alpha, beta, depth, ply);

    // Step 2: no score can be better than a win with the next move or worse than a loss here.
    alpha = std::max(alpha, lost_in(ply));
    beta = std::min(beta, -lost_in(ply + 1));
    if (alpha >= beta) return alpha;

    // Step 3: endgame databases and transposition table.
    if (may_be_in_egdb(p))
        if (const auto score = egdb_cutoff(p, alpha, beta, ply)) return *score;
    if (run_.stopped) return 0;
    HashMove hash_move;
    TranspositionTable& table = table_for(depth);
    const std::uint64_t key = table_key(p, depth, ply);
    if (const auto hit = table.probe(key, ply)) {
        hash_move = hit->move;
        const bool fits = hit->bound == Bound::exact ||
                          (hit->bound == Bound::lower && hit->score >= beta) ||
                          (hit->bound == Bound::upper && hit->score <= alpha);
        if (!is_pv && hit->depth >= depth && fits &&
            !is_spoiled(*hit, p, stack_.reversible(ply), ply))
            return hit->score;
    } else if (const std::uint64_t plain_key = stack_.key(ply) ^ table_salt_; key != plain_key) {
        if (const auto same_position = table.probe(plain_key, ply)) hash_move = same_position->move;
    }

    // Step 4: the moves; without one the game is lost.
    MoveList moves;
    generate_moves<Rules>(p, moves);
    if (moves.empty()) return lost_in(ply);
    const bool has_captures = moves[0].is_capture();
    if (moves.size() == 1) accumulators_.mark_forced(ply);
    // A forced move costs no depth, and in solve mode neither does a capture.
    const int extension = moves.size() == 1 || (limits_.solve && has_captures) ? 1 : 0;
    const int child_depth = depth - 1 + extension;
    ChildKeys child_keys;
    if (depth >= 2) prefetch_children(p, moves, child_depth, ply, child_keys);

    // Step 5: razoring, ProbCut and enhanced transposition cutoff.
    if (!is_pv)
        if (const auto score = early_cutoff(p, moves, child_keys, alpha, beta, depth, ply))
            return *score;
    if (run_.stopped) return 0;

    // Step 6: a pv node without a move from the table gets one from a shallower search.
    if (is_pv && !hash_move.known && depth >= limits_.parameters.iid_depth && moves.size() > 1) {
        hash_move = deepen_internally<N>(p, alpha, beta, depth, ply);
        if (run_.stopped) return 0;
    }

    // Step 7: search the moves, best first.
    MovePicker picker(p, moves, hash_move, history_, ply);
    Score best = -score_infinite;
    const Score old_alpha = alpha;
    const Move* best_move = nullptr;
    int number = 0;  // of the move in the order of the picker, from 1
    while (const Move* move = picker.next()) {
        const Position next = after<Rules>(p, *move);
        count_node();
        ++number;
        Score score = 0;
        if (child_depth <= 0) {
            pv_.clear(ply + 1);
            const int reversible = is_reversible(p, *move) ? stack_.reversible(ply) + 1 : 0;
            score = -quiescence(next, -beta, -alpha, ply + 1, reversible);
        } else {
            const auto index = static_cast<std::size_t>(move - moves.begin());
            stack_.push(p, *move, depth >= 2 ? child_keys[index] : key_of(next), ply);
            const int reduced_by =
                number == 1 || has_captures ? 0 : reduction(p, *move, depth, number, is_pv);
            score =
                search_move<N>(next, alpha, beta, child_depth, ply + 1, reduced_by, number == 1);
        }
        if (run_.stopped) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        alpha = score;
        best_move = move;
        if (is_pv) pv_.update(ply, *move);
        if (score >= beta) break;
    }

    // Step 8: update move ordering and the table.
    DEFIANCE_ASSERT(best >= lost_in(ply) && best <= -lost_in(ply + 1));
    DEFIANCE_ASSERT((best_move != nullptr) == (best > old_alpha));
    if (best >= beta && !has_captures) update_history(p, picker, depth, ply);
    const Bound bound = best >= beta       ? Bound::lower
                        : best > old_alpha ? Bound::exact
                                           : Bound::upper;
    table.store(key, ply, depth, best, bound, best_move);
    return best;
}

template void Search<DEFIANCE_GAME>::Worker::poll();
template Score Search<DEFIANCE_GAME>::Worker::search<NodeType::pv>(const Position&, Score, Score,
                                                                   int, int);
template Score Search<DEFIANCE_GAME>::Worker::search<NodeType::non_pv>(const Position&, Score,
                                                                       Score, int, int);

}  // namespace defiance
