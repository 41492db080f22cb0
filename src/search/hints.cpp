#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

// What the endgame databases may spend on a trusted move.
constexpr std::size_t max_positions_for_hint = 4000;

}  // namespace

/// Takes what is hinted from the observer. In the middle of an iteration only the line and a
/// trusted move have an effect; apply_hints() does the rest after it.
template <class Rules>
void Search<Rules>::Worker::read_hints() {
    const SearchHints* const hints = observer_->new_hints();
    if (hints == nullptr) return;
    DEFIANCE_ASSERT(!hints->score || std::abs(*hints->score) <= evaluation_limit);
    hints_ = *hints;
    are_hints_new_ = true;
    put_line_into_table(true);
    trusted_.reset();
    if (!hints_.move || !hints_.is_trusted || limits_.all_scores || !is_permitted(*hints_.move) ||
        is_refuted_by_egdb(*hints_.move))
        return;
    trusted_ = hints_.move;
    stopped_ = true;
}

template <class Rules>
bool Search<Rules>::Worker::is_permitted(const Move& move) const {
    return permits(limits_.search_moves, move) && permits(hints_.search_moves, move);
}

/// True when the endgame databases know that the move gives away a win or a draw, or that it loses
/// while another move may not.
template <class Rules>
bool Search<Rules>::Worker::is_refuted_by_egdb(const Move& hinted) {
    const StopCondition must_stop = [this] { return observer_->must_stop(all_nodes()); };
    // What the position after a move is worth to the opponent, where that is known.
    const auto value_after = [&](const Move& move) -> std::optional<Wld> {
        const Position next = after<Rules>(root_, move);
        if (stack_.is_last_repetition(key_of(next))) return Wld::draw;
        if (count(next.occupied()) > egdb_pieces_) return std::nullopt;
        const auto result = endgames_->resolve(next, max_positions_for_hint, must_stop);
        const int reversible = is_reversible(root_, move) ? stack_.reversible(0) + 1 : 0;
        if (!result || is_spoiled_by_law<Rules>(next, *result, reversible)) return std::nullopt;
        return result->wld;
    };
    const std::optional<Wld> mine = value_after(hinted);
    if (!mine || *mine == Wld::loss) return false;
    MoveList moves;
    generate_moves<Rules>(root_, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        if (move == hinted) return false;
        const std::optional<Wld> other = value_after(move);
        return *mine == Wld::win ? other != Wld::win : other == Wld::loss;
    });
}

/// Stores the moves of the hinted line as moves to try first. What the search has found meanwhile
/// stays unless `replaces`.
template <class Rules>
void Search<Rules>::Worker::put_line_into_table(bool replaces) {
    Position position = root_;
    for (const Move& move : hints_.line) {
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
    if (!are_hints_new_) return;
    are_hints_new_ = false;
    restrict_root_moves();
    favourite_.reset();
    if (!hints_.line.empty()) bring_forward(hints_.line.front());
    const bool is_wanted = hints_.move && !hints_.is_trusted && !limits_.all_scores;
    if (is_wanted && bring_forward(*hints_.move)) favourite_ = hints_.move;
}

/// Leaves the moves that are permitted, unless there is none. An earlier restriction is forgotten:
/// what it left out may be permitted now.
template <class Rules>
void Search<Rules>::Worker::restrict_root_moves() {
    if (hints_.search_moves.empty() && forbidden_moves_.empty()) return;
    std::vector<RootMove> kept;
    std::vector<RootMove> others;
    for (const auto* moves : {&root_moves_, &forbidden_moves_})
        for (const RootMove& root_move : *moves)
            (is_permitted(root_move.move) ? kept : others).push_back(root_move);
    if (others.empty() && forbidden_moves_.empty()) return;
    if (kept.empty()) {
        // The endgame databases have left out all that are permitted.
        MoveList moves;
        generate_moves<Rules>(root_, moves);
        for (const Move& move : moves)
            if (is_permitted(move)) {
                kept.push_back({move, -score_infinite, {move}});
                probe_root_move(kept.back(), max_positions_for_hint);
            }
    }
    if (kept.empty()) return;
    // What has been found so far is the score of another move.
    if (kept.front().move != root_moves_.front().move) completed_depth_ = 0;
    root_moves_ = std::move(kept);
    forbidden_moves_ = std::move(others);
    const bool is_whole = root_moves_.size() == rules_of<Rules>.count_moves(root_);
    has_all_moves_ = is_whole && forbidden_moves_.empty();
    root_egdb_.reset();
    use_egdb_in_tree();
}

/// Moves a root move to the front, or behind the best one when a search has found that. False when
/// it is none of the root moves.
template <class Rules>
bool Search<Rules>::Worker::bring_forward(const Move& move) {
    const auto found = std::find_if(root_moves_.begin(), root_moves_.end(),
                                    [&](const RootMove& m) { return m.move == move; });
    if (found == root_moves_.end()) return false;
    const auto place = root_moves_.begin() + (completed_depth_ == 0 ? 0 : 1);
    if (found > place) std::rotate(place, found, found + 1);
    return true;
}

/// The score that the next iteration is expected to find.
template <class Rules>
Score Search<Rules>::Worker::expected_score(int depth) {
    const RootMove& best = root_moves_.front();
    if (!hints_.score || depth > hints_.depth) return best.score + bonus_of(best.move);
    return *std::exchange(hints_.score, std::nullopt);
}

template void Search<DEFIANCE_GAME>::Worker::read_hints();
template void Search<DEFIANCE_GAME>::Worker::apply_hints();
template bool Search<DEFIANCE_GAME>::Worker::bring_forward(const Move&);
template Score Search<DEFIANCE_GAME>::Worker::expected_score(int);

}  // namespace defiance
