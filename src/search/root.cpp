#include <algorithm>

#include <defiance/base/assert.hpp>

#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// How deep the position after a root move is searched: as in the tree, a forced move costs no
/// depth, and in solve mode neither does a capture.
template <class Rules>
int Search<Rules>::Worker::depth_after_root(const Move& move, int depth) const {
    const bool is_extended = root_moves_.size() == 1 || (limits_.solve && move.is_capture());
    return is_extended ? depth : depth - 1;
}

/// Counts a root move and puts it on the stack. Returns the position after it.
template <class Rules>
Position Search<Rules>::Worker::make_root_move(const Move& move) {
    const Position next = after<Rules>(root_, move);
    count_node();
    stack_.push(root_, move, key_of(next), 0);
    return next;
}

/// Makes the root move the first one; the others keep their order.
template <class Rules>
void Search<Rules>::Worker::put_first(std::vector<RootMove>::iterator move) {
    DEFIANCE_ASSERT(move != root_moves_.end());
    std::rotate(root_moves_.begin(), move, move + 1);
}

/// The score of the root move with this index, exact inside the window (alpha, beta), a bound
/// outside it, meaningless once the search is stopped. Unless `is_first` a null window comes first.
template <class Rules>
Score Search<Rules>::Worker::search_root_move(std::size_t index, Score alpha, Score beta, int depth,
                                              bool is_first) {
    run_.searched = index;
    const std::uint64_t nodes_before = run_.nodes;
    const Move move = root_moves_[index].move;
    const Position next = make_root_move(move);
    const int child_depth = depth_after_root(move, depth);
    Score score = alpha + 1;
    if (!is_first) score = -search<NodeType::non_pv>(next, -alpha - 1, -alpha, child_depth, 1);
    if (score > alpha && !run_.stopped)
        score = -search<NodeType::pv>(next, -beta, -alpha, child_depth, 1);
    if (!run_.stopped) root_moves_[index].nodes += run_.nodes - nodes_before;
    return score;
}

/// One iteration with this window. Scores at the root are compared with the bonus of a hinted move
/// added; the moves keep their scores without it.
template <class Rules>
Score Search<Rules>::Worker::search_root(int depth, Score alpha, Score beta) {
    DEFIANCE_ASSERT(alpha < beta && depth >= 1 && depth <= max_depth && !root_moves_.empty());
    const Score window_alpha = alpha;
    Score best = -score_infinite;
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
        const Move move = root_moves_[i].move;
        const Score bonus = bonus_of(move);
        const Score score = search_root_move(i, alpha - bonus, beta - bonus, depth, i == 0) + bonus;
        if (run_.stopped) return best;
        // A bound that says that the move loses is kept, see avoid_new_loss().
        if (i != 0 && score <= alpha && is_decided_loss(score))
            root_moves_[i].score = score - bonus;
        if (score <= best && i != 0) continue;
        best = std::max(best, score);
        if (i != 0 && score <= alpha) continue;
        alpha = std::max(alpha, score);
        make_best(i, score - bonus);
        report(depth);
        if (score >= beta) break;
    }
    // A score with a bonus in it is no bound.
    if (run_.favourite) return best;
    // With some root moves excluded the score is not an upper bound.
    const bool is_upper = best < beta && has_all_moves_;
    const bool is_lower = best > window_alpha;
    if (is_upper || is_lower) {
        const Bound bound = is_upper ? (is_lower ? Bound::exact : Bound::upper) : Bound::lower;
        table_.store(table_key(root_, depth, 0), 0, depth, best, bound, &root_moves_.front().move);
    }
    return best;
}

/// Gives a root move this score and the line that the search has found after it.
template <class Rules>
void Search<Rules>::Worker::set_result(RootMove& root_move, Score score) {
    pv_.update(0, root_move.move);
    root_move.score = score;
    root_move.line.assign(pv_.root_line().begin(), pv_.root_line().end());
}

template <class Rules>
void Search<Rules>::Worker::make_best(std::size_t index, Score score) {
    set_result(root_moves_[index], score);
    put_first(root_moves_.begin() + static_cast<std::ptrdiff_t>(index));
}

template <class Rules>
void Search<Rules>::Worker::search_with_aspiration(int depth) {
    Score width = limits_.parameters.aspiration_width;
    constexpr int min_depth = 4;
    const Score guess = depth < min_depth ? score_draw : expected_score(depth);
    const bool full = depth < min_depth || is_proven(guess);
    Score alpha = full ? -score_infinite : guess - width;
    Score beta = full ? score_infinite : guess + width;
    while (true) {
        DEFIANCE_ASSERT(alpha < beta && width > 0);
        const Score score = search_root(depth, alpha, beta);
        if (run_.stopped) return;
        if (score > alpha && score < beta) return;
        width *= 3;
        const bool give_up = width > limits_.parameters.aspiration_limit || is_decided(score);
        if (score <= alpha) alpha = give_up ? -score_infinite : score - width;
        if (score >= beta) beta = give_up ? score_infinite : score + width;
    }
}

/// Searches every root move with a full window and sorts them by score.
template <class Rules>
void Search<Rules>::Worker::search_all_scores(int depth) {
    for (RootMove& root_move : root_moves_) {
        const Position next = make_root_move(root_move.move);
        const Score score = -search<NodeType::pv>(next, -score_infinite, score_infinite,
                                                  depth_after_root(root_move.move, depth), 1);
        if (run_.stopped) break;
        set_result(root_move, score);
    }
    std::stable_sort(root_moves_.begin(), root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
}

/// If the iteration in which the search was stopped has only shown that its first move loses: puts
/// a move first that was best in an earlier iteration and that this one has not searched, if there
/// is one. A move that was never best may give away more than that loss.
template <class Rules>
void Search<Rules>::Worker::avoid_new_loss() {
    if (limits_.all_scores || run_.completed_depth == 0 || is_decided_loss(run_.completed_score) ||
        !is_decided_loss(root_moves_.front().score))
        return;
    const auto unsearched =
        root_moves_.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(run_.searched, 1));
    const auto open = std::find_if(unsearched, root_moves_.end(), [&](const RootMove& move) {
        return move.score != -score_infinite && !is_decided_loss(move.score);
    });
    if (open != root_moves_.end()) put_first(open);
}

/// The same in the first iteration: a move that was not searched may be better than one that loses.
template <class Rules>
void Search<Rules>::Worker::avoid_first_loss() {
    if (!is_decided_loss(root_moves_.front().score)) return;
    const auto unsearched =
        std::find_if(root_moves_.begin(), root_moves_.end(),
                     [](const RootMove& move) { return move.score == -score_infinite; });
    if (unsearched != root_moves_.end()) put_first(unsearched);
}

/// Puts the best of the root moves that win first; false when none is known to.
template <class Rules>
bool Search<Rules>::Worker::bring_win_forward() {
    const auto best =
        std::max_element(root_moves_.begin(), root_moves_.end(),
                         [](const RootMove& a, const RootMove& b) { return a.score < b.score; });
    if (!is_decided_win(best->score)) return false;
    put_first(best);
    return true;
}

/// An iteration after the first of the root moves has been proven to win: searches for moves that
/// win sooner.
template <class Rules>
void Search<Rules>::Worker::search_sooner_wins(int depth) {
    Score alpha = root_moves_.front().score;
    DEFIANCE_ASSERT(is_decided_win(alpha));
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
        const Score score = search_root_move(i, alpha, score_infinite, depth, false);
        if (run_.stopped) return;
        if (score <= alpha) continue;
        alpha = score;
        make_best(i, score);
        report(depth);
    }
}

/// A proof-number search is of use: in solve mode, by one thread, where no win is known yet.
template <class Rules>
bool Search<Rules>::Worker::may_prove_win() const {
    const bool is_main = limits_.threads == 1 || team_ != nullptr;
    return limits_.solve && is_main && !limits_.all_scores && !run_.root_egdb &&
           !is_decided(root_moves_.front().score);
}

template <class Rules>
SearchReport Search<Rules>::Worker::report_of(int depth) const {
    const RootMove& best = root_moves_.front();
    return {depth, shown_score(best.score), all_nodes(), best.line, root_moves_, run_.root_egdb};
}

/// The depth of the last iteration. Where a known draw is played on, little depends on the move:
/// docs/strength.md ("Known draws") has the games in which this depth was enough.
template <class Rules>
int Search<Rules>::Worker::last_depth() const {
    constexpr int max_depth_of_known_draw = 13;
    return is_draw_played_on() ? std::min(limits_.depth, max_depth_of_known_draw) : limits_.depth;
}

/// What is told of this score of the best root move: a known draw is one, whatever its chances are.
/// Among permitted moves a known win or loss is at least that, where the search has not found how.
template <class Rules>
Score Search<Rules>::Worker::shown_score(Score score) const {
    if (is_draw_played_on()) return score_draw;
    const auto& known = root_moves_.front().egdb;
    if (has_all_moves_ || !known || known->wld == Wld::draw) return score;
    return known->wld == Wld::win ? std::max(score, min_known_win)
                                  : std::min(score, -min_known_win);
}

template <class Rules>
void Search<Rules>::Worker::report(int depth) {
    observer_->report(report_of(depth));
}

template <class Rules>
void Search<Rules>::Worker::iterate(int first_depth) {
    for (int depth = first_depth; depth <= last_depth(); ++depth) {
        apply_hints();
        for (RootMove& move : root_moves_)
            move.nodes = 0;
        const std::uint64_t nodes_before = run_.nodes;
        if (limits_.all_scores)
            search_all_scores(depth);
        else if (run_.has_proof && bring_win_forward())
            search_sooner_wins(depth);
        else
            search_with_aspiration(depth);
        if (run_.stopped) return;
        run_.completed_depth = depth;
        run_.completed_score = root_moves_.front().score;
        report(depth);
        if (may_prove_win() && !is_stop_requested()) {
            // Both searches get as many nodes.
            prove_win(run_.nodes - nodes_before);
            if (run_.has_proof) {
                run_.completed_score = root_moves_.front().score;
                report(depth);
            }
            if (run_.stopped) return;
        }
        if (all_nodes() >= limits_.nodes) return;
        if (depth < last_depth() && !observer_->may_go_deeper(report_of(depth))) return;
    }
}

template <class Rules>
void Search<Rules>::Worker::prepare(std::span<const Position> history, const SearchLimits& limits,
                                    SearchObserver& observer) {
    DEFIANCE_ASSERT(!history.empty() && !find_fault(history.back()));
    observer_ = &observer;
    if (limits.parameters != limits_.parameters) reductions_ = ReductionTable(limits.parameters);
    limits_ = limits;
    limits_.depth = std::clamp(limits.depth, 1, max_depth);
    history_.clear();
    shallow_table_.start_new_search();
    proof_.reset();
    run_ = {};
    run_.next_poll = std::min(nodes_between_polls, limits_.nodes);
    root_ = history.back();
    accumulators_.start(*network_, root_);
    stack_.start(history);
    root_pieces_ = count(root_.occupied());
    egdb_pieces_ = endgames_ == nullptr ? 0 : endgames_->pieces();
    use_egdb_in_tree();
    collect_root_moves();
    if (root_moves_.empty()) return;
    read_hints();
    apply_hints();
    if (!run_.trusted) probe_egdb_at_root();
}

/// The legal moves, or those of SearchLimits::search_moves.
template <class Rules>
void Search<Rules>::Worker::collect_root_moves() {
    root_moves_.clear();
    MoveList moves;
    generate_moves<Rules>(root_, moves);
    for (const Move& move : moves)
        if (permits(limits_.search_moves, move))
            root_moves_.push_back({move, -score_infinite, {move}});
    has_all_moves_ = root_moves_.size() == moves.size();
}

/// A search that has no time left when it begins goes on until it would look at the time again:
/// there are nodes for a first iteration until then, which tells moves apart. Not where a node may
/// wait for a disk.
template <class Rules>
void Search<Rules>::Worker::search_even_without_time() {
    if (!run_.stopped || run_.trusted || all_nodes() >= limits_.nodes) return;
    if (root_pieces_ <= egdb_pieces_ && endgames_->may_wait()) return;
    run_.stopped = false;
    run_.next_poll = std::min(run_.nodes + nodes_between_polls, limits_.nodes);
}

template <class Rules>
SearchResult Search<Rules>::Worker::run(std::span<const Position> history,
                                        const SearchLimits& limits, SearchObserver& observer,
                                        int first_depth, TeamNodes* team) {
    team_ = team;
    prepare(history, limits, observer);
    if (root_moves_.empty())
        return {.move = std::nullopt,
                .score = lost_in(0),
                .line = {},
                .egdb = EgdbResult{Wld::loss, 0}};
    search_even_without_time();
    if (!run_.stopped) iterate(first_depth);
    proof_.reset();
    if (run_.stopped) avoid_new_loss();
    if (run_.stopped && run_.completed_depth == 0) avoid_first_loss();
    apply_hints();  // what came in the last iteration
    if (run_.has_proof) static_cast<void>(bring_win_forward());
    DEFIANCE_ASSERT(run_.completed_depth <= limits_.depth && !root_moves_.front().line.empty());
    const RootMove& best = root_moves_.front();
    const bool is_left = best.score == -score_infinite && run_.completed_depth == 0;
    if (is_left || (run_.trusted && (run_.completed_depth == 0 || best.move != *run_.trusted))) {
        const Move move = run_.trusted.value_or(best.move);
        return {.move = move,
                .score = score_draw,
                .nodes = all_nodes(),
                .line = {move},
                .egdb = run_.root_egdb,
                .has_score = false,
                .is_trusted = run_.trusted.has_value(),
                .is_restricted = !has_all_moves_};
    }
    // A loss is proven only when every move has been searched, which a stopped search has not done.
    const bool is_own =
        best.score != -score_infinite && !(run_.stopped && is_proven_loss(best.score));
    const Score score = is_own                     ? best.score
                        : run_.completed_depth > 0 ? run_.completed_score
                                                   : score_draw;
    SearchResult result{.move = best.move,
                        .score = shown_score(score),
                        .depth = run_.completed_depth,
                        .nodes = all_nodes(),
                        .line = best.line,
                        .egdb = run_.root_egdb,
                        .is_trusted = run_.trusted.has_value(),
                        .is_restricted = !has_all_moves_};
    if (!run_.stopped) extend_line(result);
    result.cutoffs = run_.cutoffs;
    result.first_move_cutoffs = run_.first_move_cutoffs;
    return result;
}

template void Search<DEFIANCE_GAME>::Worker::put_first(std::vector<RootMove>::iterator);
template SearchResult Search<DEFIANCE_GAME>::Worker::run(std::span<const Position>,
                                                         const SearchLimits&, SearchObserver&, int,
                                                         TeamNodes*);

}  // namespace defiance
