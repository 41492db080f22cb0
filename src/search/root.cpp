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

/// One iteration with this window. Scores at the root are compared with the bonus of a hinted move
/// added; the moves keep their scores without it.
template <class Rules>
Score Search<Rules>::Worker::search_root(int depth, Score alpha, Score beta) {
    DEFIANCE_ASSERT(alpha < beta && depth >= 1 && depth <= max_depth && !root_moves_.empty());
    const Score window_alpha = alpha;
    Score best = -score_infinite;
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
        searched_ = i;
        const std::uint64_t nodes_before = nodes_;
        const Move move = root_moves_[i].move;
        const Position next = make_root_move(move);
        const int child_depth = depth_after_root(move, depth);
        const Score bonus = bonus_of(move);
        const Score low = alpha - bonus;
        const Score high = beta - bonus;
        Score score = 0;
        if (i == 0) {
            score = -search<NodeType::pv>(next, -high, -low, child_depth, 1);
        } else {
            score = -search<NodeType::non_pv>(next, -low - 1, -low, child_depth, 1);
            if (score > low && !stopped_)
                score = -search<NodeType::pv>(next, -high, -low, child_depth, 1);
        }
        if (stopped_) return best;
        root_moves_[i].nodes += nodes_ - nodes_before;
        score += bonus;
        // A bound that says that the move loses is kept, see avoid_new_loss().
        if (i != 0 && score <= alpha && is_decided(score) && score < 0)
            root_moves_[i].score = score - bonus;
        if (score <= best && i != 0) continue;
        best = std::max(best, score);
        if (i != 0 && score <= alpha) continue;
        alpha = std::max(alpha, score);
        pv_.update(0, move);
        move_to_front(i, score - bonus);
        report(depth);
        if (score >= beta) break;
    }
    // A score with a bonus in it is no bound.
    if (favourite_) return best;
    // With some root moves excluded the score is not an upper bound.
    const bool is_upper = best < beta && has_all_moves_;
    const bool is_lower = best > window_alpha;
    if (is_upper || is_lower) {
        const Bound bound = is_upper ? (is_lower ? Bound::exact : Bound::upper) : Bound::lower;
        table_.store(table_key(root_, depth, 0), 0, depth, best, bound, &root_moves_.front().move);
    }
    return best;
}

/// Makes the move the first of the root moves; the others keep their order.
template <class Rules>
void Search<Rules>::Worker::move_to_front(std::size_t index, Score score) {
    DEFIANCE_ASSERT(index < root_moves_.size() && !pv_.root_line().empty());
    RootMove& found = root_moves_[index];
    found.score = score;
    found.line.assign(pv_.root_line().begin(), pv_.root_line().end());
    const auto at = root_moves_.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(root_moves_.begin(), at, at + 1);
}

template <class Rules>
void Search<Rules>::Worker::search_with_aspiration(int depth) {
    Score width = limits_.parameters.aspiration_width;
    constexpr int min_depth = 4;
    const Score guess = depth < min_depth ? root_moves_.front().score : expected_score(depth);
    const bool full = depth < min_depth || is_proven(guess);
    Score alpha = full ? -score_infinite : guess - width;
    Score beta = full ? score_infinite : guess + width;
    while (true) {
        DEFIANCE_ASSERT(alpha < beta && width > 0);
        const Score score = search_root(depth, alpha, beta);
        if (stopped_) return;
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
        if (stopped_) break;
        root_move.score = score;
        pv_.update(0, root_move.move);
        root_move.line.assign(pv_.root_line().begin(), pv_.root_line().end());
    }
    std::stable_sort(root_moves_.begin(), root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
}

/// For a search that was stopped in an iteration that has seen its first move lose: puts a move
/// first that was best in an earlier iteration and that this one has not come to, if there is one.
/// A move that was never best may give away more than that loss.
template <class Rules>
void Search<Rules>::Worker::avoid_new_loss() {
    const auto is_lost = [](Score score) { return is_decided(score) && score < 0; };
    if (limits_.all_scores || completed_depth_ == 0 || is_lost(completed_score_) ||
        !is_lost(root_moves_.front().score))
        return;
    const auto begin = root_moves_.begin();
    const auto unsearched =
        begin + static_cast<std::ptrdiff_t>(std::max<std::size_t>(searched_, 1));
    const auto open = std::find_if(unsearched, root_moves_.end(), [&](const RootMove& move) {
        return move.score != -score_infinite && !is_lost(move.score);
    });
    if (open != root_moves_.end()) std::rotate(begin, open, open + 1);
}

/// Puts the best of the root moves that win first; false when none is known to.
template <class Rules>
bool Search<Rules>::Worker::bring_win_forward() {
    const auto best =
        std::max_element(root_moves_.begin(), root_moves_.end(),
                         [](const RootMove& a, const RootMove& b) { return a.score < b.score; });
    if (best->score < min_known_win) return false;
    std::rotate(root_moves_.begin(), best, best + 1);
    return true;
}

/// An iteration after the first of the root moves has been proven to win: searches for moves that
/// win sooner.
template <class Rules>
void Search<Rules>::Worker::search_sooner_wins(int depth) {
    Score alpha = root_moves_.front().score;
    DEFIANCE_ASSERT(alpha >= min_known_win);
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
        searched_ = i;
        const std::uint64_t nodes_before = nodes_;
        const Move move = root_moves_[i].move;
        const Position next = make_root_move(move);
        const int child_depth = depth_after_root(move, depth);
        Score score = -search<NodeType::non_pv>(next, -alpha - 1, -alpha, child_depth, 1);
        if (score > alpha && !stopped_)
            score = -search<NodeType::pv>(next, -score_infinite, -alpha, child_depth, 1);
        if (stopped_) return;
        root_moves_[i].nodes += nodes_ - nodes_before;
        if (score <= alpha) continue;
        alpha = score;
        pv_.update(0, move);
        move_to_front(i, score);
        report(depth);
    }
}

/// A proof-number search is of use: in solve mode, by one thread, where no win is known yet.
template <class Rules>
bool Search<Rules>::Worker::may_prove_win() const {
    const bool is_main = limits_.threads == 1 || others_ != nullptr;
    return limits_.solve && is_main && !limits_.all_scores && !root_egdb_ &&
           !is_decided(root_moves_.front().score);
}

template <class Rules>
SearchReport Search<Rules>::Worker::report_of(int depth) const {
    const RootMove& best = root_moves_.front();
    return {depth, shown_score(best.score), all_nodes(), best.line, root_moves_, root_egdb_};
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
        const std::uint64_t nodes_before = nodes_;
        if (limits_.all_scores)
            search_all_scores(depth);
        else if (has_proof_ && bring_win_forward())
            search_sooner_wins(depth);
        else
            search_with_aspiration(depth);
        if (stopped_) return;
        completed_depth_ = depth;
        completed_score_ = root_moves_.front().score;
        report(depth);
        if (may_prove_win()) {
            // Both searches get as many nodes.
            prove_win(nodes_ - nodes_before);
            if (has_proof_) {
                completed_score_ = root_moves_.front().score;
                report(depth);
            }
            if (stopped_) return;
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
    nodes_ = 0;
    cutoffs_ = 0;
    first_move_cutoffs_ = 0;
    next_poll_ = std::min(nodes_between_polls, limits_.nodes);
    stopped_ = false;
    ply_without_law_ = -1;
    is_verifying_ = {};
    completed_depth_ = 0;
    completed_score_ = 0;
    searched_ = 0;
    root_ = history.back();
    accumulators_.start(*network_, root_);
    stack_.start(history);
    root_egdb_.reset();
    root_pieces_ = count(root_.occupied());
    egdb_pieces_ = endgames_ == nullptr ? 0 : endgames_->pieces();
    use_egdb_in_tree();
    hints_ = {};
    are_hints_new_ = false;
    favourite_.reset();
    trusted_.reset();
    forbidden_moves_.clear();
    proof_.reset();
    has_proof_ = false;
    collect_root_moves();
    if (root_moves_.empty()) return;
    read_hints();
    apply_hints();
    if (!trusted_) probe_egdb_at_root();
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

template <class Rules>
SearchResult Search<Rules>::Worker::run(std::span<const Position> history,
                                        const SearchLimits& limits, SearchObserver& observer,
                                        int first_depth, const std::atomic<std::uint64_t>* others) {
    others_ = others;
    prepare(history, limits, observer);
    if (root_moves_.empty())
        return {.move = std::nullopt,
                .score = lost_in(0),
                .line = {},
                .egdb = EgdbResult{Wld::loss, 0}};
    root_moves_.front().score = 0;
    if (!stopped_) iterate(first_depth);
    proof_.reset();
    if (stopped_) avoid_new_loss();
    apply_hints();  // what came in the last iteration
    if (has_proof_) static_cast<void>(bring_win_forward());
    DEFIANCE_ASSERT(completed_depth_ <= limits_.depth && !root_moves_.front().line.empty());
    const RootMove& best = root_moves_.front();
    const bool is_left = best.score == -score_infinite && completed_depth_ == 0;
    if (is_left || (trusted_ && (completed_depth_ == 0 || best.move != *trusted_))) {
        const Move move = trusted_.value_or(best.move);
        return {.move = move,
                .score = score_draw,
                .nodes = all_nodes(),
                .line = {move},
                .egdb = std::nullopt,
                .has_score = false,
                .is_trusted = trusted_.has_value(),
                .is_restricted = !has_all_moves_};
    }
    // A loss is proven only when every move has been searched, which a stopped search has not done.
    const bool is_own = best.score != -score_infinite && !(stopped_ && is_loss(best.score));
    const Score score = is_own ? best.score : completed_depth_ > 0 ? completed_score_ : score_draw;
    SearchResult result{.move = best.move,
                        .score = shown_score(score),
                        .depth = completed_depth_,
                        .nodes = all_nodes(),
                        .line = best.line,
                        .egdb = root_egdb_,
                        .is_trusted = trusted_.has_value(),
                        .is_restricted = !has_all_moves_};
    if (!stopped_) extend_line(result);
    result.cutoffs = cutoffs_;
    result.first_move_cutoffs = first_move_cutoffs_;
    return result;
}

template SearchResult Search<DEFIANCE_GAME>::Worker::run(std::span<const Position>,
                                                         const SearchLimits&, SearchObserver&, int,
                                                         const std::atomic<std::uint64_t>*);

}  // namespace defiance
