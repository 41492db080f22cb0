#include <algorithm>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

// Blocks that a search may unpack at first, and the nodes it must search for each further one. This
// slows the search down by about a third until the blocks it needs are unpacked. With the root in
// the databases their results matter more than speed, so more blocks may be unpacked, but not so
// many that the clock is read too rarely.
constexpr std::uint64_t first_unpacked = 32;
constexpr std::uint64_t nodes_per_unpacked = 4096;
constexpr std::uint64_t nodes_per_unpacked_with_root_in_egdb = 256;

/// With more pieces, distances are probed only if the root is in the databases.
constexpr int max_pieces_with_dtw = 4;

}  // namespace

/// The database result of a position after `reversible` plies without progress; nothing when the
/// draw law could spoil it. A distance costs more than a win/loss/draw value, so it is probed only
/// where it helps (up to 4 pieces it is free).
template <class Rules>
std::optional<EgdbResult> Search<Rules>::Worker::probe_egdb(const Position& p, int reversible) {
    const bool is_root_in_egdb = root_pieces_ <= egdb_pieces_;
    const std::uint64_t nodes_per_block =
        is_root_in_egdb ? nodes_per_unpacked_with_root_in_egdb : nodes_per_unpacked;
    unpack_budget_.allow(limits_.unpack_all ? UINT64_MAX
                                            : first_unpacked + nodes_ / nodes_per_block);
    DEFIANCE_ASSERT(endgames_ != nullptr && count(p.occupied()) <= egdb_pieces_);
    bool slow = false;
    const ProbeOptions options = {is_root_in_egdb || count(p.occupied()) <= max_pieces_with_dtw,
                                  &unpack_budget_, &slow};
    const auto result = endgames_->probe(p, options);
    // A probe that waits for a disk takes longer than the nodes between two polls.
    if (slow) poll();
    if (result && is_spoiled_by_law<Rules>(p, *result, reversible)) return std::nullopt;
    return result;
}

/// The score of a database result at a node. A win without a known distance scores higher with
/// fewer pieces, which leads the search to endings whose distances are known.
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
    const Score by_evaluation = std::clamp(evaluate(p, ply), -max_by_evaluation, max_by_evaluation);
    const Score base = (min_known_win + max_known_win) / 2 - max_by_evaluation +
                       per_piece * std::max(0, max_pieces - count(p.occupied())) - ply;
    return wins ? base + by_evaluation : by_evaluation - base;
}

/// The score of a leaf without captures that the databases may hold. When they do not (a capture is
/// threatened, or only the other side to move is stored), it is searched one ply deeper.
template <class Rules>
Score Search<Rules>::Worker::egdb_leaf(const Position& p, Score alpha, Score beta, int ply,
                                       const Leaf& leaf) {
    if (const auto result = probe_egdb(p, leaf.reversible)) return egdb_score(p, *result, ply);
    if (stopped_) return 0;
    const bool has_no_budget = unpack_budget_.is_reached();
    if (has_no_budget && root_egdb_ && root_egdb_->wld != Wld::draw &&
        count(p.occupied()) == root_pieces_) {
        // With correct play this has the value of the root; an evaluation would look like an escape
        // from it.
        const bool wins = (root_egdb_->wld == Wld::win) == (p.side == root_.side);
        return egdb_score(p, {wins ? Wld::win : Wld::loss, {}}, ply);
    }
    if (leaf.is_extended || has_no_budget || ply + 1 >= max_ply) return evaluate(p, ply);
    DEFIANCE_ASSERT(!can_capture<Rules>(p));
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

/// True when a database result is the score of a node or a bound that cuts it off. With as many
/// pieces as at the root and no known distance the search must find the way to the win itself.
template <class Rules>
bool Search<Rules>::Worker::egdb_cutoff(const Position& p, Score alpha, Score beta, int ply,
                                        Score& score) {
    DEFIANCE_ASSERT(alpha < beta);
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
