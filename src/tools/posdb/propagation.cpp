// How scores propagate from a position to those it can be reached from.

#include <algorithm>
#include <deque>
#include <span>
#include <unordered_set>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/known_position_updates.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/store/game_position.hpp>

namespace defiance {
bool is_same_choice(const KnownMove& a, const KnownMove& b) {
    return a.index == b.index && a.score == b.score;
}

std::optional<Error> PositionDatabase::add(const Position& position,
                                           std::span<const KnownMove> scores, std::uint8_t ply,
                                           const std::optional<Position>& parent) {
    DEFIANCE_ASSERT(position.is_consistent());
    const PositionKey key = key_of_board(position);
    // It is there again when all is done: after an error nobody knows what was stored.
    const bool was_propagated = propagated_.take(key);
    bool was_new = false;
    const auto merge = [&](KnownPosition& known, bool is_new) {
        was_new = is_new;
        bool is_changed = is_new || ply < known.ply;
        known.ply = std::min(known.ply, ply);
        is_changed |= add_better(known, scores);
        if (parent) is_changed |= add_parent(known, key_of_board(*parent));
        return is_changed;
    };
    const auto changed = change(key, merge);
    if (!changed) return Error{changed.error()};
    std::optional<Error> error;
    if (*changed)
        error = propagate_addition(key, was_new);
    else if (!was_propagated)
        error = finish_propagation(key);
    if (!error) propagated_.note(key);
    return error;
}

std::optional<Error> PositionDatabase::propagate_addition(const PositionKey& key, bool was_new) {
    if (was_new)
        if (auto error = link_parents(key)) return error;
    const auto linked = link_children(key);
    if (!linked) return Error{linked.error()};
    return propagate(key);
}

/// Finishes what an earlier call may have left undone that was interrupted: by an error of the
/// store, or the end of the program. Where all is done nothing is written.
std::optional<Error> PositionDatabase::finish_propagation(const PositionKey& key) {
    Changes changes;
    if (auto error = reconcile(key, Relatives::all, changes)) return error;
    if (auto error = carry_up(changes, max_steps_up)) return error;
    if (const auto broken = break_cycle(board_of(key)); !broken) return Error{broken.error()};
    // carry_up() ends where a best score stays, but what is missing may be further up.
    std::deque<PositionKey> waiting = {key};
    std::unordered_set<PositionKey, PositionKeyHash> seen = {key};
    for (; !waiting.empty(); waiting.pop_front()) {
        const PositionKey child = waiting.front();
        const auto known = find(board_of(child));
        if (!known) return Error{known.error()};
        // Nothing has ever come up through a position with unknown moves.
        if (!is_complete(*known, rules(), board_of(child))) continue;
        for (const PositionKey& parent : (*known)->parents) {
            const auto above = find(board_of(parent));
            if (!above) return Error{above.error()};
            if (!*above) continue;
            if (!has_score_of(rules(), parent, **above, child, **known))
                if (auto error = reconcile_parent(parent, **above, child, **known, changes))
                    return error;
            if (auto error = carry_up(changes, max_steps_up)) return error;
            if (seen.size() < max_steps_up && seen.insert(parent).second) waiting.push_back(parent);
        }
    }
    return std::nullopt;
}

std::optional<Error> PositionDatabase::finish(const Position& position) {
    return finish_propagation(key_of_board(position));
}

std::optional<Error> PositionDatabase::refresh(const Position& position) {
    const PositionKey key = key_of_board(position);
    const auto is_best_changed = link_children(key);
    if (!is_best_changed) return Error{is_best_changed.error()};
    return *is_best_changed ? propagate(key) : std::nullopt;
}

Result<bool> PositionDatabase::link_children(const PositionKey& key) {
    std::vector<Position> after;
    for (const CanonicalMove& move : canonical_moves(rules(), board_of(key)))
        after.push_back(move.after);
    const auto known = find_many(after);
    if (!known) return Error{known.error()};
    bool is_best_changed = false;
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (!(*known)[i]) continue;
        // First the child: what it learns from here on is carried up to this position.
        const PositionKey child = key_of_board(after[i]);
        if (auto error = link(key, child)) return *error;
        const auto backed_up = back_up(key, child);
        if (!backed_up) return Error{backed_up.error()};
        is_best_changed |= *backed_up;
    }
    return is_best_changed;
}

/// Writes a parent into a known position.
std::optional<Error> PositionDatabase::link(const PositionKey& parent, const PositionKey& child) {
    const auto above = find(board_of(parent));
    if (!above) return Error{above.error()};
    if (!*above) return std::nullopt;
    const std::uint8_t ply = ply_after((*above)->ply);
    const auto linked = change(child, [&](KnownPosition& position, bool is_new) {
        if (is_new) return false;
        bool is_changed = add_parent(position, parent);
        is_changed |= ply < position.ply;
        position.ply = std::min(position.ply, ply);
        return is_changed;
    });
    if (!linked) return Error{linked.error()};
    return std::nullopt;
}

/// Gives a parent what a child knows. True when the best move of the parent has changed.
Result<bool> PositionDatabase::back_up(const PositionKey& parent, const PositionKey& child) {
    constexpr int max_trials = 100;
    bool is_best_changed = false;
    for (int trial = 0; trial < max_trials; ++trial) {
        const auto backed_up = back_up_once(parent, child);
        if (!backed_up) return Error{backed_up.error()};
        if (!backed_up->best) break;
        is_best_changed |= backed_up->is_best_changed;
        // Somebody else who has changed the child meanwhile may have seen the parent before this
        // was written, and found it right.
        const auto now = find(board_of(child));
        if (!now) return Error{now.error()};
        if (!*now || (*now)->moves.empty() || (*now)->best_move() == *backed_up->best) break;
    }
    return is_best_changed;
}

Result<PositionDatabase::BackUp> PositionDatabase::back_up_once(const PositionKey& parent,
                                                                const PositionKey& child) {
    BackUp backed_up;
    std::optional<Error> failure;
    const auto changed = change(parent, [&](KnownPosition& position, bool is_new) {
        if (is_new) return false;
        // Only now, and again after each conflict: what was read before the parent may be older
        // than what somebody else has written into it.
        const auto below = find(board_of(child));
        if (!below) failure = Error{below.error()};
        if (!below || !*below) return false;
        const auto move = expanded_move(parent, child, **below);
        if (!move) return false;
        const std::optional<KnownMove> before =
            position.moves.empty() ? std::nullopt : std::optional(position.best_move());
        if (!set_expanded(position, move->known, move->is_reversible)) return false;
        backed_up.best = (*below)->best_move();
        backed_up.is_best_changed = !before || !is_same_choice(*before, position.best_move());
        return true;
    });
    if (failure) return *std::move(failure);
    if (!changed) return Error{changed.error()};
    return *changed ? backed_up : BackUp{};
}

/// The move from a position to another one, with the score that this one tells. Nothing when that
/// is not complete.
std::optional<PositionDatabase::ExpandedMove> PositionDatabase::expanded_move(
    const PositionKey& parent, const PositionKey& child, const KnownPosition& below) const {
    const Position board = board_of(parent);
    const std::vector<CanonicalMove> moves = canonical_moves(rules(), board);
    // A position with black to move has parents with white to move: the same ones turned round.
    const auto index = index_of_move_to(moves, flipped(board_of(child)));
    if (!index || below.moves.empty()) return std::nullopt;
    if (below.moves.size() < canonical_moves(rules(), moves[*index].after).size())
        return std::nullopt;
    const int depth = std::min(below.best_move().depth + 1, 255);
    const KnownMove move = {static_cast<std::uint8_t>(*index),
                            static_cast<std::int16_t>(score_of_move(below.best())),
                            static_cast<std::uint8_t>(depth), ScoreSource::expansion};
    return ExpandedMove{move, is_reversible(board, moves[*index].move)};
}

std::optional<Error> PositionDatabase::propagate(const PositionKey& key) {
    Changes changes;
    changes.add(key);
    return carry_up(changes, max_steps_up);
}

void PositionDatabase::Changes::add(const PositionKey& key) {
    settled_.erase(key);
    if (is_waiting_.insert(key).second) waiting_.push_back(key);
}

PositionKey PositionDatabase::Changes::take() {
    const PositionKey key = waiting_.front();
    waiting_.pop_front();
    is_waiting_.erase(key);
    return key;
}

std::optional<Error> PositionDatabase::carry_up(Changes& changes, std::size_t most_steps) {
    while (!changes.empty() && changes.steps_ < most_steps)
        if (auto error = carry_one_up(changes.take(), changes)) return error;
    return std::nullopt;
}

std::optional<Error> PositionDatabase::carry_one_up(const PositionKey& key, Changes& changes) {
    const auto settled = settle(key, changes);
    if (!settled) return Error{settled.error()};
    changes.steps_ += settled->size();
    for (const PositionKey& child : *settled)
        if (auto error = tell_parents(child, changes)) return error;
    return std::nullopt;
}

std::optional<Error> PositionDatabase::settle_rest(const PositionKey& key, Changes& changes,
                                                   std::size_t most_steps) {
    if (changes.steps_ < most_steps && !changes.settled_.contains(key)) {
        const auto settled = settle(key, changes);
        if (!settled) return Error{settled.error()};
        if (changes.settled_.contains(key))
            for (const PositionKey& changed : *settled)
                if (auto error = tell_parents(changed, changes)) return error;
    }
    return carry_up(changes, most_steps);
}

/// Gives all parents of a position what it knows, and notes those whose best move changes.
std::optional<Error> PositionDatabase::tell_parents(const PositionKey& key, Changes& changes) {
    const auto known = find(board_of(key));
    if (!known) return Error{known.error()};
    // One with unknown moves tells its parents nothing.
    if (!is_complete(*known, rules(), board_of(key))) return std::nullopt;
    for (const PositionKey& parent : (*known)->parents) {
        const auto backed_up = back_up(parent, key);
        if (!backed_up) return Error{backed_up.error()};
        if (*backed_up) changes.add(parent);
    }
    return std::nullopt;
}

Result<bool> PositionDatabase::merge(const PositionKey& key, const KnownPosition& offered) {
    return change(key, [&](KnownPosition& known, bool is_new) {
        if (is_new) {
            known = offered;
            return true;
        }
        bool is_changed = offered.ply < known.ply;
        known.ply = std::min(known.ply, offered.ply);
        is_changed |= add_better(known, offered.moves);
        // None is pushed out for another one, or the same positions merged again would change it.
        for (const PositionKey& parent : offered.parents)
            if (known.parents.size() < KnownPosition::max_parents)
                is_changed |= add_parent(known, parent);
        return is_changed;
    });
}

std::optional<Error> PositionDatabase::reconcile(const PositionKey& key, Relatives relatives,
                                                 Changes& changes) {
    if (relatives == Relatives::all)
        if (auto error = link_parents(key)) return error;
    const auto known = find(board_of(key));
    if (!known) return Error{known.error()};
    if (!*known) return std::nullopt;
    const auto changed = reconcile_with_children(key, **known);
    if (!changed) return Error{changed.error()};
    if (*changed) changes.add(key);
    return relatives == Relatives::all ? reconcile_parents(key, changes) : std::nullopt;
}

/// True when the best move has changed.
Result<bool> PositionDatabase::reconcile_with_children(const PositionKey& key,
                                                       const KnownPosition& known) {
    const std::vector<CanonicalMove> moves = canonical_moves(rules(), board_of(key));
    std::vector<Position> after;
    after.reserve(moves.size());
    for (const CanonicalMove& move : moves)
        after.push_back(move.after);
    const auto children = find_many(after);
    if (!children) return Error{children.error()};
    bool is_best_changed = false;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const std::optional<KnownPosition>& below = (*children)[i];
        if (!below) continue;
        const PositionKey child = key_of_board(after[i]);
        const bool is_linked =
            has_parent(*below, key) || below->parents.size() == KnownPosition::max_parents;
        const bool is_nearer = below->ply > ply_after(known.ply);
        if (!is_linked || is_nearer)
            if (auto error = link(key, child)) return *error;
        if (is_nearer)
            if (auto error = carry_plies_down(child)) return *error;
        const auto move = expanded_move(key, child, *below);
        if (!move || !would_change(known.find(i), move->known.score, move->is_reversible)) continue;
        const auto backed_up = back_up(key, child);
        if (!backed_up) return Error{backed_up.error()};
        is_best_changed |= *backed_up;
    }
    return is_best_changed;
}

/// Gives the parents of a position what it knows and they do not.
std::optional<Error> PositionDatabase::reconcile_parents(const PositionKey& key, Changes& changes) {
    const auto known = find(board_of(key));
    if (!known) return Error{known.error()};
    if (!*known) return std::nullopt;
    for (const PositionKey& parent : (*known)->parents) {
        const auto above = find(board_of(parent));
        if (!above) return Error{above.error()};
        if (!*above) continue;
        if (auto error = reconcile_parent(parent, **above, key, **known, changes)) return error;
    }
    return std::nullopt;
}

/// The same for one of the parents.
std::optional<Error> PositionDatabase::reconcile_parent(const PositionKey& parent,
                                                        const KnownPosition& above,
                                                        const PositionKey& key,
                                                        const KnownPosition& known,
                                                        Changes& changes) {
    const auto move = expanded_move(parent, key, known);
    if (!move) return std::nullopt;
    if (!would_change(above.find(move->known.index), move->known.score, move->is_reversible))
        return std::nullopt;
    const auto backed_up = back_up(parent, key);
    if (!backed_up) return Error{backed_up.error()};
    if (*backed_up) changes.add(parent);
    return std::nullopt;
}

}  // namespace defiance
