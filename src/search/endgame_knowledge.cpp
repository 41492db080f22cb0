#include <algorithm>
#include <utility>
#include <vector>

#include <defiance/rules/draws.hpp>

#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Positions looked at to find what a move at the root is worth.
constexpr std::size_t max_positions_at_root = 4000;

// Blocks that may be unpacked to find that.
constexpr std::uint64_t max_unpacked_at_root = 256;

// Blocks that a search may unpack at first, and nodes that must be searched for each one more. The
// search is then slowed down by a third or so, and that only until the blocks it needs are there.
// Where the root is known the databases are what counts: there it may take most of the time, but
// not all of it, or nobody would look at the clock.
constexpr std::uint64_t first_unpacked = 32;
constexpr std::uint64_t nodes_per_unpacked = 4096;
constexpr std::uint64_t nodes_per_unpacked_at_known_root = 256;
// Beyond so many pieces plies are looked for only where the root is known.
constexpr int max_pieces_with_plies = 4;

/// Which of two verdicts is better for the side to move; plies count where both know them.
bool is_better(const EgdbResult& a, const EgdbResult& b) {
    const auto rank = [](Wld value) { return value == Wld::win ? 2 : value == Wld::draw ? 1 : 0; };
    if (a.wld != b.wld) return rank(a.wld) > rank(b.wld);
    if (!a.dtw || !b.dtw || *a.dtw == *b.dtw) return false;
    return (a.wld == Wld::win) == (*a.dtw < *b.dtw);
}

/// What a position is worth from which a move leads to one with this verdict.
EgdbResult before(const EgdbResult& next) {
    EgdbResult verdict = next;
    if (next.wld != Wld::draw) verdict.wld = next.wld == Wld::win ? Wld::loss : Wld::win;
    if (next.dtw) verdict.dtw = *next.dtw + 1;
    return verdict;
}

/// True when the law of the game could end it as a draw before a win at this distance. Where men
/// can move or pieces are given up on the way the count begins anew, so nothing is said then.
template <class Rules>
bool is_spoiled_by_law(const Position& p, const EgdbResult& verdict, int reversible) {
    return verdict.dtw && (p.occupied() & ~p.kings) == 0 &&
           reversible + *verdict.dtw >= reversible_limit<Rules>(p);
}

}  // namespace

/// What the databases know about a position after so many plies of king moves, if the law of the
/// game leaves it at that. Nobody should wait long for it, nor for plies where the root is not
/// known; those of up to four pieces cost no more than values.
template <class Rules>
std::optional<EgdbResult> Search<Rules>::Worker::ask(const Position& p, int reversible) {
    const bool is_root_known = root_pieces_ <= known_pieces_;
    unpack_limit_.allow(first_unpacked + nodes_ / (is_root_known ? nodes_per_unpacked_at_known_root
                                                                 : nodes_per_unpacked));
    const ProbeOptions wish = {is_root_known || count(p.occupied()) <= max_pieces_with_plies,
                               &unpack_limit_};
    auto verdict = endgames_->probe(p, wish);
    if (verdict && is_spoiled_by_law<Rules>(p, *verdict, reversible)) return std::nullopt;
    return verdict;
}

/// A win without a known distance is worth more with fewer pieces on the board: that is the way to
/// where distances are known.
template <class Rules>
Score Search<Rules>::Worker::egdb_score(const Position& p, const EgdbResult& verdict, int ply) {
    if (verdict.wld == Wld::draw) return score_draw;
    const bool wins = verdict.wld == Wld::win;
    if (verdict.dtw) {
        const Score score = score_win - ply - *verdict.dtw;
        return wins ? score : -score;
    }
    constexpr Score per_piece = 300;
    constexpr int max_pieces = 12;
    constexpr Score max_by_evaluation = 1500;
    const Score by_evaluation =
        std::clamp(evaluate<Rules>(p), -max_by_evaluation, max_by_evaluation);
    const Score base = (min_known_win + max_known_win) / 2 - max_by_evaluation +
                       per_piece * std::max(0, max_pieces - count(p.occupied())) - ply;
    return wins ? base + by_evaluation : by_evaluation - base;
}

/// The score of a leaf without captures that the databases may know. Where they keep only the other
/// side's move, or a capture threatens, one ply more tells.
template <class Rules>
Score Search<Rules>::Worker::egdb_leaf(const Position& p, Score alpha, Score beta, int ply) {
    if (const auto verdict = ask(p, 0)) return egdb_score(p, *verdict, ply);
    const bool is_limited = unpack_limit_.is_reached();
    if (is_limited && verdict_ && verdict_->wld != Wld::draw &&
        count(p.occupied()) == root_pieces_) {
        // If nobody has erred since the root this is won or lost as that is: a smaller score would
        // look like a way out.
        const bool wins = (verdict_->wld == Wld::win) == (p.side == root_.side);
        return egdb_score(p, {wins ? Wld::win : Wld::loss, {}}, ply);
    }
    if (is_beyond_leaf_ || is_limited || ply + 1 >= max_ply)
        return lazy_evaluate<Rules>(p, alpha, beta);
    is_beyond_leaf_ = true;
    MoveList moves;
    generate_quiet_moves<Rules>(p, moves);
    Score best = -score_infinite;
    for (const Move& move : moves) {
        count_node();
        const Score score =
            -quiescence(after<Rules>(p, move), -beta, -std::max(alpha, best), ply + 1);
        best = std::max(best, score);
        if (best >= beta || stopped_) break;
    }
    is_beyond_leaf_ = false;
    return best;
}

/// True when the databases tell a node's score, or enough of it for the window. Among positions
/// with as many pieces as the root, and no known distance, the search must find the way itself.
template <class Rules>
bool Search<Rules>::Worker::egdb_cutoff(const Position& p, Score alpha, Score beta, int ply,
                                        Score& score) {
    const auto verdict = ask(p, reversible_[static_cast<std::size_t>(ply)]);
    if (!verdict) return false;
    score = egdb_score(p, *verdict, ply);
    if (verdict->wld == Wld::draw || verdict->dtw || count(p.occupied()) < root_pieces_)
        return true;
    const bool wins = verdict->wld == Wld::win;
    score = wins ? min_known_win : -min_known_win;
    return wins ? score >= beta : score <= alpha;
}

/// Finds out what the root is worth, and leaves only the moves that keep it.
template <class Rules>
void Search<Rules>::Worker::probe_egdb_at_root(std::span<const Position> history) {
    verdict_.reset();
    root_pieces_ = count(root_.occupied());
    known_pieces_ = endgames_ == nullptr ? 0 : endgames_->pieces();
    if (root_pieces_ > known_pieces_ || root_moves_.empty()) return;
    std::vector<std::pair<RootMove, EgdbResult>> known;
    UnpackBudget limit;
    limit.allow(max_unpacked_at_root);
    for (const RootMove& root_move : root_moves_) {
        const Position next = after<Rules>(root_, root_move.move);
        const auto verdict = endgames_->resolve(next, max_positions_at_root, &limit);
        const int reversible =
            is_reversible(root_, root_move.move) ? static_cast<int>(history.size()) : 0;
        if (!verdict || is_spoiled_by_law<Rules>(next, *verdict, reversible)) return;
        known.emplace_back(root_move, before(*verdict));
    }
    EgdbResult best = known.front().second;
    for (const auto& [move, verdict] : known)
        if (is_better(verdict, best)) best = verdict;
    if (is_whole_) verdict_ = best;
    if (limits_.all_scores) return;
    root_moves_.clear();
    for (const auto& [move, verdict] : known)
        if (!is_better(best, verdict)) root_moves_.push_back(move);
    if (best.wld == Wld::win && !best.dtw) keep_shortest_dtc();
}

/// Of moves that win, how soon is not known, leaves those that come nearest to a capture or a move
/// of a man. Where one of them is near the search finds the way.
template <class Rules>
void Search<Rules>::Worker::keep_shortest_dtc() {
    std::vector<int> plies;
    for (const RootMove& root_move : root_moves_) {
        if (!is_reversible(root_, root_move.move)) return;
        const auto known = endgames_->dtc(after<Rules>(root_, root_move.move));
        if (!known) return;
        plies.push_back(*known);
    }
    const int least = *std::min_element(plies.begin(), plies.end());
    std::size_t at = 0;
    std::erase_if(root_moves_, [&](const RootMove&) { return plies[at++] > least; });
}

template void Search<DEFIANCE_GAME>::Worker::probe_egdb_at_root(std::span<const Position>);
template void Search<DEFIANCE_GAME>::Worker::keep_shortest_dtc();
template std::optional<EgdbResult> Search<DEFIANCE_GAME>::Worker::ask(const Position&, int);
template Score Search<DEFIANCE_GAME>::Worker::egdb_score(const Position&, const EgdbResult&, int);
template Score Search<DEFIANCE_GAME>::Worker::egdb_leaf(const Position&, Score, Score, int);
template bool Search<DEFIANCE_GAME>::Worker::egdb_cutoff(const Position&, Score, Score, int,
                                                         Score&);

}  // namespace defiance
