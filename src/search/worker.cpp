#include "worker.hpp"

#include <algorithm>

#include <defiance/rules/draws.hpp>
#include <defiance/rules/game_rules.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {

template <class Rules>
bool Search<Rules>::Worker::is_repetition(std::uint64_t key, int ply) const {
    const std::size_t here = root_index_ + static_cast<std::size_t>(ply);
    const auto reach =
        std::min(here, static_cast<std::size_t>(reversible_[static_cast<std::size_t>(ply)]));
    int before_root = 0;
    for (std::size_t back = 4; back <= reach; back += 2) {
        if (keys_[here - back] != key) continue;
        // Inside the search the first repetition settles it: who could do better can do so here.
        if (here - back > root_index_ || ++before_root + 1 >= Rules::repetitions_to_draw)
            return true;
    }
    return false;
}

template <class Rules>
void Search<Rules>::Worker::enter(const Position& from, const Move& move, std::uint64_t key,
                                  int ply) {
    const auto p = static_cast<std::size_t>(ply);
    keys_[root_index_ + p + 1] = key;
    reversible_[p + 1] = is_reversible(from, move) ? reversible_[p] + 1 : 0;
}

template <class Rules>
void Search<Rules>::Worker::poll() {
    stopped_ = nodes_ >= limits_.nodes || monitor_->must_stop(nodes_);
}

template <class Rules>
void Search<Rules>::Worker::update_pv(int ply, const Move& move) {
    const auto p = static_cast<std::size_t>(ply);
    line_[p][0] = move;
    const int rest = std::min(line_length_[p + 1], max_ply - 1);
    std::copy_n(line_[p + 1].begin(), rest, line_[p].begin() + 1);
    line_length_[p] = rest + 1;
}

/// Looks only at captures, which must be played, so that the evaluation sees no position in which
/// the side to move has one.
template <class Rules>
Score Search<Rules>::Worker::quiescence(const Position& p, Score alpha, Score beta, int ply) {
    if (ply >= max_ply) return evaluate<Rules>(p);
    MoveList moves;
    generate_captures<Rules>(p, moves);
    if (moves.empty()) {
        const Bitboard free =
            p.side == Side::black ? movers<Side::black>(p) : movers<Side::white>(p);
        if (free == 0) return lost_in(ply);
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

/// Forward pruning of the ProbCut kind: a position that a much shallower search finds better than
/// beta by a margin is taken to be better than beta. Where the side to move is losing with few
/// pieces left nothing is pruned: what seems to hold out would hide the proof that all is lost.
template <class Rules>
bool Search<Rules>::Worker::probcut(const Position& p, Score beta, int depth, int ply,
                                    Score& score) {
    constexpr int min_depth = 4;
    constexpr Score margin = 50;
    constexpr Score lost_looking = -300;
    constexpr int few_pieces = 8;
    if (depth < min_depth || is_proven(beta)) return false;
    if (beta < lost_looking && count(p.occupied()) <= few_pieces) return false;
    const Score bar = beta + margin;
    if (lazy_evaluate<Rules>(p, bar - 1, bar) < bar) return false;
    score = search<Node::non_pv>(p, bar - 1, bar, depth / 2, ply);
    return !stopped_ && score >= bar;
}

/// The keys of the positions the moves lead to. Asks the memory for what the table knows of each,
/// so that it is there when it is wanted: waiting for it one by one would take a fifth of the time.
template <class Rules>
void Search<Rules>::Worker::prefetch_children(const Position& p, const MoveList& moves, int depth,
                                              ChildKeys& keys) {
    const TranspositionTable& table = table_for(depth - 1);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        keys[i] = key_of(after<Rules>(p, moves[i]));
        table.prefetch(keys[i]);
    }
}

/// Enhanced table cut-off: a reply that the table already knows to be good enough.
template <class Rules>
bool Search<Rules>::Worker::enhanced_transposition_cutoff(const Position& p, const MoveList& moves,
                                                          const ChildKeys& keys, Score beta,
                                                          int depth, int ply, Score& score) {
    const TranspositionTable& table = table_for(depth - 1);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        // A king's move may repeat the game, which the table does not know.
        if (is_reversible(p, moves[i])) continue;
        const auto hit = table.probe(keys[i], ply + 1);
        if (!hit || hit->depth < depth - 1 || hit->bound == Bound::lower) continue;
        if (-hit->score >= beta) {
            score = -hit->score;
            return true;
        }
    }
    return false;
}

/// Plies by which a late move is searched less deep at first.
template <class Rules>
int Search<Rules>::Worker::reduction(const Position& p, const Move& move, int depth, int number,
                                     bool pv) const {
    if (limits_.solve || depth < 3 || number < (pv ? 4 : 3)) return 0;
    const bool crowns =
        (p.kings & bit(move.from)) == 0 && (bit(move.to) & crowning_row_of(p.side)) != 0;
    if (crowns) return 0;
    int plies = 1;
    if (number >= 6 && depth >= 5) ++plies;
    if (number >= 10 && depth >= 8) ++plies;
    if (pv && plies > 1) --plies;
    return std::min(plies, depth - 1);
}

template <class Rules>
template <typename Search<Rules>::Worker::Node N>
Score Search<Rules>::Worker::search(const Position& p, Score alpha, Score beta, int depth,
                                    int ply) {
    constexpr bool pv = N == Node::pv;
    const auto here = static_cast<std::size_t>(ply);
    line_length_[here] = 0;
    const std::uint64_t key = keys_[root_index_ + here];

    // Step 1: draws by the rules.
    if (is_repetition(key, ply)) return score_draw;
    if (reversible_[here] >= min_reversible_limit<Rules> &&
        reversible_[here] >= reversible_limit<Rules>(p) && count_moves<Rules>(p) != 0)
        return score_draw;
    if (ply >= max_ply) return quiescence(p, alpha, beta, ply);
    if (depth <= 0) return quiescence(p, alpha, beta, ply);

    // Step 2: no line from here can be better than to win with the next move, or worse than to have
    // lost already.
    alpha = std::max(alpha, lost_in(ply));
    beta = std::min(beta, -lost_in(ply + 1));
    if (alpha >= beta) return alpha;

    // Step 3: what the endgame databases and the table know.
    Score score = 0;
    if (count(p.occupied()) <= known_pieces_ && egdb_cutoff(p, alpha, beta, ply, score))
        return score;
    MoveHint hint;
    TranspositionTable& table = table_for(depth);
    if (const auto hit = table.probe(key, ply)) {
        hint = hit->move;
        const bool fits = hit->bound == Bound::exact ||
                          (hit->bound == Bound::lower && hit->score >= beta) ||
                          (hit->bound == Bound::upper && hit->score <= alpha);
        if (!pv && hit->depth >= depth && fits) return hit->score;
    }

    // Step 4: the moves; without one the game is lost.
    MoveList moves;
    generate_moves<Rules>(p, moves);
    if (moves.empty()) return lost_in(ply);
    const bool capturing = moves[0].is_capture();
    ChildKeys child_keys;
    if (depth >= 2) prefetch_children(p, moves, depth, child_keys);

    // Step 5: forward pruning and cut-offs by the table.
    if (!pv && !capturing && !limits_.solve && probcut(p, beta, depth, ply, score)) return score;
    if (stopped_) return 0;
    if (!pv && depth >= 2 &&
        enhanced_transposition_cutoff(p, moves, child_keys, beta, depth, ply, score))
        return score;

    // Step 6: a node on the main line without a move from the table gets one from a shallower
    // search.
    if (pv && !hint.known && depth >= 5 && moves.size() > 1) {
        score = search<N>(p, alpha, beta, depth - 3, ply);
        if (stopped_) return 0;
        if (const auto hit = table_.probe(key, ply)) hint = hit->move;
    }

    // Step 7: a forced move costs no depth, and in solve mode neither does a capture.
    const int extension = moves.size() == 1 || (limits_.solve && capturing) ? 1 : 0;
    const int below = depth - 1 + extension;

    // Step 8: the moves in order of promise; the first with the full window, later ones with a
    // narrow one and less depth, again in full when they turn out better than expected.
    MovePicker picker(p, moves, hint, history_, ply);
    Score best = -score_infinite;
    const Score old_alpha = alpha;
    const Move* best_move = nullptr;
    int number = 0;
    while (const Move* move = picker.next()) {
        const Position next = after<Rules>(p, *move);
        count_node();
        ++number;
        if (below <= 0) {
            line_length_[here + 1] = 0;
            score = -quiescence(next, -beta, -alpha, ply + 1);
        } else {
            const auto index = static_cast<std::size_t>(move - moves.begin());
            enter(p, *move, depth >= 2 ? child_keys[index] : key_of(next), ply);
            if (number == 1) {
                score = -search<N>(next, -beta, -alpha, below, ply + 1);
            } else {
                const int less = capturing ? 0 : reduction(p, *move, depth, number, pv);
                score = -search<Node::non_pv>(next, -alpha - 1, -alpha, below - less, ply + 1);
                if (less > 0 && score > alpha && !stopped_)
                    score = -search<Node::non_pv>(next, -alpha - 1, -alpha, below, ply + 1);
                if (pv && score > alpha && score < beta && !stopped_)
                    score = -search<Node::pv>(next, -beta, -alpha, below, ply + 1);
            }
        }
        if (stopped_) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        alpha = score;
        best_move = move;
        if (pv) update_pv(ply, *move);
        if (score >= beta) break;
    }

    // Step 9: remember what was found.
    if (best >= beta && !capturing) {
        history_.reward(p.side, *best_move, depth, ply);
        for (int i = 0; i + 1 < number; ++i)
            history_.punish(p.side, picker.handed_out(static_cast<std::size_t>(i)), depth);
    }
    const Bound bound = best >= beta       ? Bound::lower
                        : best > old_alpha ? Bound::exact
                                           : Bound::upper;
    table.store(key, ply, depth, best, bound, best_move);
    return best;
}

template <class Rules>
Score Search<Rules>::Worker::search_root(int depth, Score alpha, Score beta) {
    Score best = -score_infinite;
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
        const Move move = root_moves_[i].move;
        const Position next = after<Rules>(root_, move);
        count_node();
        enter(root_, move, key_of(next), 0);
        const int extension =
            root_moves_.size() == 1 || (limits_.solve && move.is_capture()) ? 1 : 0;
        const int below = depth - 1 + extension;
        Score score = 0;
        if (i == 0) {
            score = -search<Node::pv>(next, -beta, -alpha, below, 1);
        } else {
            score = -search<Node::non_pv>(next, -alpha - 1, -alpha, below, 1);
            if (score > alpha && !stopped_)
                score = -search<Node::pv>(next, -beta, -alpha, below, 1);
        }
        if (stopped_) return best;
        if (score <= best && i != 0) continue;
        best = std::max(best, score);
        if (i != 0 && score <= alpha) continue;
        alpha = std::max(alpha, score);
        update_pv(0, move);
        promote(i, score);
        tell(depth);
        if (score >= beta) break;
    }
    // Among some of the moves the best is no more than a lower bound of the position's value.
    const Bound bound = best >= beta || !is_whole_ ? Bound::lower : Bound::exact;
    table_.store(keys_[root_index_], 0, depth, best, bound, &root_moves_.front().move);
    return best;
}

/// The move becomes the first of the root moves, the others keep their order.
template <class Rules>
void Search<Rules>::Worker::promote(std::size_t index, Score score) {
    RootMove& found = root_moves_[index];
    found.score = score;
    found.line.assign(line_[0].begin(), line_[0].begin() + line_length_[0]);
    const auto at = root_moves_.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(root_moves_.begin(), at, at + 1);
}

template <class Rules>
void Search<Rules>::Worker::search_with_aspiration(int depth) {
    Score width = 20;
    const Score guess = root_moves_.front().score;
    const bool full = depth < 4 || is_proven(guess);
    Score alpha = full ? -score_infinite : guess - width;
    Score beta = full ? score_infinite : guess + width;
    while (true) {
        const Score score = search_root(depth, alpha, beta);
        if (stopped_) return;
        if (score > alpha && score < beta) return;
        width *= 3;
        const bool give_up = width > 300 || is_proven(score);
        if (score <= alpha) alpha = give_up ? -score_infinite : score - width;
        if (score >= beta) beta = give_up ? score_infinite : score + width;
    }
}

/// A full window for every root move; they are put in order of score afterwards.
template <class Rules>
void Search<Rules>::Worker::search_all_scores(int depth) {
    for (RootMove& root_move : root_moves_) {
        const Position next = after<Rules>(root_, root_move.move);
        count_node();
        enter(root_, root_move.move, key_of(next), 0);
        const Score score = -search<Node::pv>(next, -score_infinite, score_infinite, depth - 1, 1);
        if (stopped_) break;
        root_move.score = score;
        update_pv(0, root_move.move);
        root_move.line.assign(line_[0].begin(), line_[0].begin() + line_length_[0]);
    }
    std::stable_sort(root_moves_.begin(), root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
}

template <class Rules>
SearchReport Search<Rules>::Worker::report_of(int depth) const {
    const RootMove& best = root_moves_.front();
    return {depth, best.score, nodes_, best.line, root_moves_};
}

template <class Rules>
void Search<Rules>::Worker::tell(int depth) {
    monitor_->report(report_of(depth));
}

template <class Rules>
void Search<Rules>::Worker::iterate() {
    for (int depth = 1; depth <= limits_.depth; ++depth) {
        if (limits_.all_scores)
            search_all_scores(depth);
        else
            search_with_aspiration(depth);
        if (stopped_) return;
        completed_depth_ = depth;
        completed_score_ = root_moves_.front().score;
        tell(depth);
        if (nodes_ >= limits_.nodes) return;
        if (depth < limits_.depth && !monitor_->may_go_deeper(report_of(depth))) return;
    }
}

template <class Rules>
void Search<Rules>::Worker::prepare(std::span<const Position> history, const SearchLimits& limits,
                                    SearchObserver& monitor) {
    monitor_ = &monitor;
    limits_ = limits;
    limits_.depth = std::clamp(limits.depth, 1, max_depth);
    history_.clear();
    shallow_table_.start_new_search();
    nodes_ = 0;
    unpack_limit_ = {};
    stopped_ = false;
    completed_depth_ = 0;
    completed_score_ = 0;
    root_ = history.back();
    const std::size_t kept = std::min(history.size() - 1, max_history);
    const auto first = history.subspan(history.size() - 1 - kept);
    for (std::size_t i = 0; i < first.size(); ++i)
        keys_[i] = key_of(first[i]);
    root_index_ = kept;
    reversible_[0] = static_cast<int>(kept);
    root_moves_.clear();
    MoveList moves;
    generate_moves<Rules>(root_, moves);
    const auto is_wanted = [&](const Move& move) {
        return limits_.only.empty() ||
               std::find(limits_.only.begin(), limits_.only.end(), move) != limits_.only.end();
    };
    for (const Move& move : moves)
        if (is_wanted(move)) root_moves_.push_back({move, -score_infinite, {move}});
    is_whole_ = root_moves_.size() == moves.size();
    probe_egdb_at_root(history);
}

template <class Rules>
SearchResult Search<Rules>::Worker::run(std::span<const Position> history,
                                        const SearchLimits& limits, SearchObserver& monitor) {
    prepare(history, limits, monitor);
    if (root_moves_.empty()) return {std::nullopt, lost_in(0), 0, 0, {}, EgdbResult{Wld::loss, 0}};
    root_moves_.front().score = 0;
    iterate();
    const RootMove& best = root_moves_.front();
    // A loss stands only when every move has been looked at, which a search cut short has not done.
    const Score score = stopped_ && is_loss(best.score) ? completed_score_ : best.score;
    return {best.move, score, completed_depth_, nodes_, best.line, verdict_};
}

template <class Rules>
Search<Rules>::Search(TranspositionTable& table)
    : table_(table), worker_(std::make_unique<Worker>(table)) {}

template <class Rules>
Search<Rules>::~Search() = default;

template <class Rules>
void Search<Rules>::use(const EndgameDatabases* endgames) {
    DEFIANCE_ASSERT(endgames == nullptr || &endgames->rules() == &rules_of<Rules>);
    worker_->use(static_cast<const Endgames<Rules>*>(endgames));
}

template <class Rules>
SearchResult Search<Rules>::run(std::span<const Position> history, const SearchLimits& limits,
                                SearchObserver& monitor) {
    table_.start_new_search();
    return worker_->run(history, limits, monitor);
}

template class Search<DEFIANCE_GAME>;

}  // namespace defiance
