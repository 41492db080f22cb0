#include <algorithm>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

// Blocks that a search may unpack at first, and nodes to be searched for each one more. The search
// is then slowed down by a third or so, until the blocks it needs are unpacked. Where the root is
// in the databases they matter more than the search, so more may be unpacked, but not so many that
// the clock is read too seldom.
constexpr std::uint64_t first_unpacked = 32;
constexpr std::uint64_t nodes_per_unpacked = 4096;
constexpr std::uint64_t nodes_per_unpacked_at_known_root = 256;

/// With more pieces distances are asked for only where the root is in the databases.
constexpr int max_pieces_with_plies = 4;

}  // namespace

/// What the databases say of a position after `reversible` plies without progress; nothing when the
/// draw law could spoil it. Distances cost more than values, so they are asked for only where they
/// help (up to 4 pieces they are free).
template <class Rules>
std::optional<EgdbResult> Search<Rules>::Worker::probe_egdb(const Position& p, int reversible) {
    const bool is_root_known = root_pieces_ <= known_pieces_;
    unpack_budget_.allow(first_unpacked + nodes_ / (is_root_known ? nodes_per_unpacked_at_known_root
                                                                  : nodes_per_unpacked));
    DEFIANCE_ASSERT(endgames_ != nullptr && count(p.occupied()) <= known_pieces_);
    bool slow = false;
    const ProbeOptions options = {is_root_known || count(p.occupied()) <= max_pieces_with_plies,
                                  &unpack_budget_, &slow};
    const auto result = endgames_->probe(p, options);
    // A single probe may have waited for a disk longer than a thousand nodes take.
    if (slow) poll();
    if (result && is_spoiled_by_law<Rules>(p, *result, reversible)) return std::nullopt;
    return result;
}

/// The score of a database's result at a node. A win without a known distance counts more with
/// fewer pieces on the board, because there the distances are known.
template <class Rules>
Score Search<Rules>::Worker::egdb_score(const Position& p, const EgdbResult& result, int ply) {
    if (result.wld == Wld::draw) return score_draw;
    const bool wins = result.wld == Wld::win;
    DEFIANCE_ASSERT(!result.dtw || *result.dtw >= (wins ? 1 : 0));
    if (result.dtw) {
        const Score score = score_win - ply - *result.dtw;
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

/// The score of a leaf without captures that the databases may know. Where they do not know it,
/// because a capture threatens or only the other side's move is kept, it is searched one ply
/// deeper.
template <class Rules>
Score Search<Rules>::Worker::egdb_leaf(const Position& p, Score alpha, Score beta, int ply,
                                       const Leaf& leaf) {
    if (const auto result = probe_egdb(p, leaf.reversible)) return egdb_score(p, *result, ply);
    if (stopped_) return 0;
    const bool has_no_budget = unpack_budget_.is_reached();
    if (has_no_budget && root_result_ && root_result_->wld != Wld::draw &&
        count(p.occupied()) == root_pieces_) {
        // With perfect play since the root this is won or lost like the root: a smaller score would
        // look like an escape.
        const bool wins = (root_result_->wld == Wld::win) == (p.side == root_.side);
        return egdb_score(p, {wins ? Wld::win : Wld::loss, {}}, ply);
    }
    if (leaf.is_extended || has_no_budget || ply + 1 >= max_ply)
        return lazy_evaluate<Rules>(p, alpha, beta);
    MoveList moves;
    generate_quiet_moves<Rules>(p, moves);
    Score best = -score_infinite;
    for (const Move& move : moves) {
        count_node();
        const Score score =
            -quiescence(after<Rules>(p, move), -beta, -std::max(alpha, best), ply + 1,
                        {is_reversible(p, move) ? leaf.reversible + 1 : 0, true});
        best = std::max(best, score);
        if (stopped_) return 0;
        if (best >= beta) break;
    }
    return best;
}

/// True when the databases tell a node's score, or enough of it for the window. Where there are as
/// many pieces as at the root and no distance is known, the search must find the way itself.
template <class Rules>
bool Search<Rules>::Worker::egdb_cutoff(const Position& p, Score alpha, Score beta, int ply,
                                        Score& score) {
    const auto result = probe_egdb(p, stack_.reversible(ply));
    if (!result) return false;
    score = egdb_score(p, *result, ply);
    if (result->wld == Wld::draw || result->dtw || count(p.occupied()) < root_pieces_) return true;
    const bool wins = result->wld == Wld::win;
    score = wins ? min_known_win : -min_known_win;
    return wins ? score >= beta : score <= alpha;
}

template Score Search<DEFIANCE_GAME>::Worker::egdb_leaf(const Position&, Score, Score, int,
                                                        const Leaf&);
template bool Search<DEFIANCE_GAME>::Worker::egdb_cutoff(const Position&, Score, Score, int,
                                                         Score&);

}  // namespace defiance
