#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>

#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// Takes what is hinted from the observer. In the middle of an iteration only the line and a
/// trusted move have an effect; apply_hints() does the rest after it.
template <class Rules>
void Search<Rules>::Worker::read_hints() {
    const SearchHints* const hints = observer_->new_hints();
    if (hints == nullptr) return;
    DEFIANCE_ASSERT(!hints->score || std::abs(*hints->score) <= evaluation_limit);
    run_.hints = *hints;
    run_.are_hints_new = true;
    put_line_into_table(true);
    run_.trusted.reset();
    if (!run_.hints.move || !run_.hints.is_trusted || limits_.all_scores ||
        !is_permitted(*run_.hints.move) || is_refuted_by_egdb(*run_.hints.move))
        return;
    run_.trusted = run_.hints.move;
    run_.stopped = true;
}

template <class Rules>
bool Search<Rules>::Worker::is_permitted(const Move& move) const {
    return permits(limits_.search_moves, move) && permits(run_.hints.search_moves, move);
}

/// True when the endgame databases know that the move gives away a win or a draw that another move
/// has which is permitted, or that it loses while another one may not.
template <class Rules>
bool Search<Rules>::Worker::is_refuted_by_egdb(const Move& hinted) {
    const auto value_of = [this](const Move& move) -> std::optional<Wld> {
        // is_stop_requested() would read the hints again.
        const auto value = value_of_root_move(move, max_positions_at_root,
                                              [this] { return observer_->must_stop(all_nodes()); });
        return value ? std::optional(value->wld) : std::nullopt;
    };
    const std::optional<Wld> mine = value_of(hinted);
    if (!mine || *mine == Wld::win) return false;
    MoveList moves;
    generate_moves<Rules>(root_, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        if (move == hinted || !is_permitted(move)) return false;
        const std::optional<Wld> other = value_of(move);
        return *mine == Wld::loss ? other != Wld::loss : other == Wld::win;
    });
}

/// Stores the moves of the hinted line as moves to try first. What the search has found meanwhile
/// stays unless `replaces`.
template <class Rules>
void Search<Rules>::Worker::put_line_into_table(bool replaces) {
    Position position = root_;
    for (const Move& move : run_.hints.line) {
        DEFIANCE_ASSERT((position.own() & bit(move.from)) != 0);
        const std::uint64_t key = key_of(position) ^ table_salt_;
        const auto hit = table_.probe(key, 0);
        if (replaces || !hit || !hit->move.known) table_.store_move(key, move);
        position = after<Rules>(position, move);
    }
}

/// Makes the root moves and their order what the hints ask for. Not within an iteration.
template <class Rules>
void Search<Rules>::Worker::apply_hints() {
    put_line_into_table(false);
    if (!run_.are_hints_new) return;
    run_.are_hints_new = false;
    restrict_root_moves();
    run_.favourite.reset();
    if (!run_.hints.line.empty()) bring_forward(run_.hints.line.front());
    const bool is_wanted = run_.hints.move && !run_.hints.is_trusted && !limits_.all_scores;
    if (is_wanted && bring_forward(*run_.hints.move)) run_.favourite = run_.hints.move;
}

/// Leaves the moves that are permitted, unless there is none. An earlier restriction is forgotten:
/// what it left out may be permitted now.
template <class Rules>
void Search<Rules>::Worker::restrict_root_moves() {
    if (run_.hints.search_moves.empty() && run_.forbidden_moves.empty()) return;
    std::vector<RootMove> kept;
    std::vector<RootMove> others;
    for (const auto* moves : {&root_moves_, &run_.forbidden_moves})
        for (const RootMove& root_move : *moves)
            (is_permitted(root_move.move) ? kept : others).push_back(root_move);
    if (others.empty() && run_.forbidden_moves.empty()) return;
    if (kept.empty()) {
        // The endgame databases have left out all that are permitted.
        MoveList moves;
        generate_moves<Rules>(root_, moves);
        for (const Move& move : moves)
            if (is_permitted(move)) {
                kept.push_back({move, -score_infinite, {move}});
                probe_root_move(kept.back(), max_positions_at_root);
            }
    }
    if (kept.empty()) return;
    // What has been found so far is the score of another move.
    if (kept.front().move != root_moves_.front().move) run_.completed_depth = 0;
    root_moves_ = std::move(kept);
    run_.forbidden_moves = std::move(others);
    const bool is_whole = root_moves_.size() == rules_of<Rules>.count_moves(root_);
    has_all_moves_ = is_whole && run_.forbidden_moves.empty();
    run_.root_egdb.reset();
    use_egdb_in_tree();
}

/// Moves a root move to the front, or behind the best one when a search has found that. False when
/// it is none of the root moves.
template <class Rules>
bool Search<Rules>::Worker::bring_forward(const Move& move) {
    const auto found = std::find_if(root_moves_.begin(), root_moves_.end(),
                                    [&](const RootMove& m) { return m.move == move; });
    if (found == root_moves_.end()) return false;
    const auto place = root_moves_.begin() + (run_.completed_depth == 0 ? 0 : 1);
    if (found > place) std::rotate(place, found, found + 1);
    return true;
}

/// The score that the next iteration is expected to find.
template <class Rules>
Score Search<Rules>::Worker::expected_score(int depth) {
    const RootMove& best = root_moves_.front();
    if (!run_.hints.score || depth > run_.hints.depth) return best.score + bonus_of(best.move);
    return *std::exchange(run_.hints.score, std::nullopt);
}

template void Search<DEFIANCE_GAME>::Worker::read_hints();
template void Search<DEFIANCE_GAME>::Worker::apply_hints();
template bool Search<DEFIANCE_GAME>::Worker::bring_forward(const Move&);
template Score Search<DEFIANCE_GAME>::Worker::expected_score(int);

}  // namespace defiance
