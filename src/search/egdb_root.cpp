#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Positions that may be probed for one root move instead of max_positions_at_root: fewer once
/// another is found to be unknown, since then only a win is of use, and when the time is up: they
/// take some milliseconds for all moves together; more where one wins and the others may win
/// sooner.
constexpr std::size_t max_positions_for_win = 200;
constexpr std::size_t max_positions_without_time = 256;
constexpr std::size_t max_positions_for_sooner_win = 30000;

/// True when the first result is better for the side to move; a sooner win or later loss is better.
bool is_better(const EgdbResult& a, const EgdbResult& b) {
    const auto rank = [](Wld value) { return value == Wld::win ? 2 : value == Wld::draw ? 1 : 0; };
    if (a.wld != b.wld) return rank(a.wld) > rank(b.wld);
    if (!a.dtw || !b.dtw || *a.dtw == *b.dtw) return false;
    return (a.wld == Wld::win) == (*a.dtw < *b.dtw);
}

/// The result of a move, for the side that plays it, from the result of the position after it.
EgdbResult result_of_move(const EgdbResult& next) {
    DEFIANCE_ASSERT(!next.dtw || (*next.dtw >= 0 && next.wld != Wld::draw));
    EgdbResult result = next;
    result.wld = opposite(next.wld);
    if (next.dtw) result.dtw = *next.dtw + 1;
    return result;
}

/// True when the opponent can answer a move to `p` by the last repetition of a position of the
/// game.
template <class Rules>
bool leads_to_last_repetition(const Position& p, const SearchStack<Rules>& stack) {
    MoveList moves;
    generate_moves<Rules>(p, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        return stack.is_last_repetition(key_of(after<Rules>(p, move)));
    });
}

/// True when the opponent can answer a move to `p` by one that ends the game by the draw law.
template <class Rules>
bool leads_to_draw_by_law(const Position& p, int reversible) {
    if (reversible + 1 < min_reversible_limit<Rules>) return false;
    MoveList moves;
    generate_moves<Rules>(p, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        return is_reversible(p, move) &&
               is_drawn_by_law<Rules>(after<Rules>(p, move), reversible + 1);
    });
}

}  // namespace

/// If the databases know all root moves, or one that wins, finds the value of the root and keeps
/// only the best moves, and a hinted one that is of the same value but longer. Of moves that draw,
/// which are alike to the databases, a search without them chooses the one with the best chances:
/// the opponent may not know the position. Where some moves are unknown, drops those that lose if
/// the root is drawn or another one draws.
template <class Rules>
void Search<Rules>::Worker::probe_egdb_at_root() {
    if (root_pieces_ > egdb_pieces_ || root_moves_.empty()) return;
    // Look-ups are done even when the time is up: no win and no draw is to be given away for want
    // of them. Then they end after a few positions, and before one that may wait for a disk. A draw
    // of the root holds whatever its moves are, and a game of drawn positions is claimed by how
    // many of them were known.
    if (has_all_moves_) run_.root_egdb = known_draw(1);
    bool is_one_unknown = false;
    for (RootMove& root_move : root_moves_) {
        probe_root_move(root_move, is_one_unknown ? max_positions_for_win : max_positions_at_root);
        is_one_unknown |= !root_move.egdb;
    }
    if (best_known() && best_known()->wld == Wld::win) is_one_unknown = !probe_sooner_wins();
    const auto best = best_known();
    if (!best) return;
    // What is not known may be better than anything but a win, or a draw of a drawn root.
    if (is_one_unknown && best->wld != Wld::win) {
        if (has_all_moves_ && !run_.root_egdb) run_.root_egdb = known_draw(max_positions_at_root);
        if (best->wld != Wld::draw || !run_.root_egdb) {
            if (is_stop_requested()) return play_safe(*best);
            if (!limits_.all_scores && (best->wld == Wld::draw || run_.root_egdb)) drop_losses();
            return;
        }
    }
    if (has_all_moves_) run_.root_egdb = best;
    // Among what is not known there may be a sooner win or a later loss.
    const bool is_dtw_unknown =
        is_one_unknown ||
        std::any_of(root_moves_.begin(), root_moves_.end(), [&](const auto& move) {
            return move.egdb && move.egdb->wld == best->wld && !move.egdb->dtw;
        });
    if (has_all_moves_ && is_dtw_unknown) run_.root_egdb->dtw.reset();
    if (limits_.all_scores) return;
    std::erase_if(root_moves_, [&](const RootMove& root_move) {
        return !root_move.egdb ||
               (is_better(*best, *root_move.egdb) &&
                !(run_.favourite == root_move.move && root_move.egdb->wld == best->wld));
    });
    if (best->wld == Wld::win && !best->dtw) keep_shortest_dtc();
    if (best->wld == Wld::draw) play_on_in_draw();
}

/// The result of the root if so many positions show that it is a draw.
template <class Rules>
std::optional<EgdbResult> Search<Rules>::Worker::known_draw(std::size_t max_positions) {
    auto root = endgames_->resolve(root_, max_positions, [this] { return is_stop_requested(); });
    if (root && root->wld != Wld::draw) root.reset();
    return root;
}

/// Drops the root moves that are known to lose, of a root of which some move is not lost.
template <class Rules>
void Search<Rules>::Worker::drop_losses() {
    std::erase_if(root_moves_, [](const RootMove& root_move) {
        return root_move.egdb && root_move.egdb->wld == Wld::loss;
    });
    DEFIANCE_ASSERT(!root_moves_.empty());
}

/// Has the tree searched with the databases, and with what the table has learned from them.
template <class Rules>
void Search<Rules>::Worker::use_egdb_in_tree() {
    egdb_pieces_in_tree_ = egdb_pieces_;
    table_salt_ = 0;
}

/// Has the tree searched without databases, and without what the table has learned from them.
template <class Rules>
void Search<Rules>::Worker::play_on_in_draw() {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    egdb_pieces_in_tree_ = 0;
    table_salt_ = odd;
}

/// What a root move is worth, if so many positions show it and neither the draw law nor a
/// repetition, of which the databases know nothing, can spoil it.
template <class Rules>
std::optional<EgdbResult> Search<Rules>::Worker::value_of_root_move(
    const Move& move, std::size_t max_positions, const StopCondition& must_stop) const {
    const Position next = after<Rules>(root_, move);
    if (stack_.is_last_repetition(key_of(next))) return EgdbResult{Wld::draw, {}};
    const int reversible = is_reversible(root_, move) ? stack_.reversible(0) + 1 : 0;
    // With kings alone every move ends the game, and the best one is that of the databases.
    const bool has_men = next.men() != 0;
    if (has_men && is_drawn_by_law<Rules>(next, reversible)) return EgdbResult{Wld::draw, {}};
    if (count(next.occupied()) > egdb_pieces_) return std::nullopt;
    const auto result = endgames_->resolve(next, max_positions, must_stop);
    if (!result || is_spoiled_by_law<Rules>(next, *result, reversible)) return std::nullopt;
    if (result->wld == Wld::loss && (leads_to_last_repetition<Rules>(next, stack_) ||
                                     (has_men && leads_to_draw_by_law<Rules>(next, reversible))))
        return std::nullopt;
    return result_of_move(*result);
}

template <class Rules>
void Search<Rules>::Worker::probe_root_move(RootMove& root_move, std::size_t max_positions) {
    const bool is_late = is_stop_requested() && !endgames_->may_wait();
    const auto value =
        is_late ? value_of_root_move(root_move.move,
                                     std::min(max_positions, max_positions_without_time), {})
                : value_of_root_move(root_move.move, max_positions,
                                     [this] { return is_stop_requested(); });
    if (value) root_move.egdb = value;
}

/// The best result of a root move, with plies if there is one of that value with them; nothing when
/// none is known.
template <class Rules>
std::optional<EgdbResult> Search<Rules>::Worker::best_known() const {
    std::optional<EgdbResult> best;
    for (const RootMove& root_move : root_moves_)
        if (const auto& found = root_move.egdb; found) {
            const bool has_plies = best && found->wld == best->wld && found->dtw && !best->dtw;
            if (!best || has_plies || is_better(*found, *best)) best = found;
        }
    return best;
}

/// Where a move wins in a known number of plies, looks further for moves that may win sooner: those
/// of unknown value or distance. False when one stays of unknown value.
template <class Rules>
bool Search<Rules>::Worker::probe_sooner_wins() {
    const bool knows_plies = std::any_of(
        root_moves_.begin(), root_moves_.end(),
        [](const RootMove& root_move) { return root_move.egdb && root_move.egdb->dtw; });
    for (RootMove& root_move : root_moves_) {
        const auto& known = root_move.egdb;
        const bool may_be_sooner = !known || (known->wld == Wld::win && !known->dtw);
        if (may_be_sooner && knows_plies && !is_stop_requested())
            probe_root_move(root_move, max_positions_for_sooner_win);
    }
    return std::all_of(root_moves_.begin(), root_moves_.end(),
                       [](const RootMove& root_move) { return root_move.egdb.has_value(); });
}

/// For a search that was stopped before all root moves were known, none of which wins: keeps the
/// draws that are known or, where there is none, the moves that may not lose.
template <class Rules>
void Search<Rules>::Worker::play_safe(const EgdbResult& best) {
    const auto is_safe = [&](const RootMove& root_move) {
        return root_move.egdb.has_value() == (best.wld == Wld::draw) &&
               (!root_move.egdb || root_move.egdb->wld == Wld::draw);
    };
    const auto place = std::find_if(root_moves_.begin(), root_moves_.end(), is_safe);
    DEFIANCE_ASSERT(place != root_moves_.end());
    put_first(place);
    if (limits_.all_scores) return;
    // Where draws are kept, one that is left out may win.
    if (best.wld == Wld::draw) has_all_moves_ = false;
    std::erase_if(root_moves_, std::not_fn(is_safe));
}

/// Of winning moves without a known distance to the win, keeps those with the shortest distance to
/// a capture or a man's move, so that the search makes progress.
template <class Rules>
void Search<Rules>::Worker::keep_shortest_dtc() {
    std::vector<int> distances;
    for (const RootMove& root_move : root_moves_) {
        if (!is_reversible(root_, root_move.move)) return;
        const auto dtc = endgames_->dtc(after<Rules>(root_, root_move.move),
                                        [this] { return is_stop_requested(); });
        if (!dtc) return;
        distances.push_back(*dtc);
    }
    DEFIANCE_ASSERT(distances.size() == root_moves_.size());
    const int shortest = *std::min_element(distances.begin(), distances.end());
    std::size_t at = 0;
    std::erase_if(root_moves_, [&](const RootMove& root_move) {
        return distances[at++] > shortest && run_.favourite != root_move.move;
    });
}

/// Continues the line of a win with known distance from the databases.
template <class Rules>
void Search<Rules>::Worker::extend_line(SearchResult& result) {
    const bool is_known = result.egdb && result.egdb->dtw && is_proven(result.score);
    if (!is_known || result.line.size() >= max_egdb_line) return;
    DEFIANCE_ASSERT(endgames_ != nullptr);
    Position end = root_;
    for (const Move& move : result.line)
        end = after<Rules>(end, move);
    const auto rest = endgames_->best_line(end, max_egdb_line - result.line.size(),
                                           [this] { return is_stop_requested(); });
    result.line.insert(result.line.end(), rest.begin(), rest.end());
}

template void Search<DEFIANCE_GAME>::Worker::probe_egdb_at_root();
template std::optional<EgdbResult> Search<DEFIANCE_GAME>::Worker::value_of_root_move(
    const Move&, std::size_t, const StopCondition&) const;
template void Search<DEFIANCE_GAME>::Worker::probe_root_move(RootMove&, std::size_t);
template void Search<DEFIANCE_GAME>::Worker::use_egdb_in_tree();
template void Search<DEFIANCE_GAME>::Worker::extend_line(SearchResult&);

}  // namespace defiance
