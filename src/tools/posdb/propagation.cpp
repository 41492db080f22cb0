// How scores spread from a position to those it can be reached from.

#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/position_database.hpp>

namespace defiance {
namespace {

/// A change that goes up through more positions than this has come into a circle of proven scores,
/// each a ply further from the end.
constexpr int max_steps_up = 4096;

/// Puts the score of a move in its place. False when nothing changes.
bool set_move(KnownPosition& known, const KnownMove& move) {
    const auto place =
        std::lower_bound(known.moves.begin(), known.moves.end(), move,
                         [](const KnownMove& a, const KnownMove& b) { return a.index < b.index; });
    if (place == known.moves.end() || place->index != move.index) {
        known.moves.insert(place, move);
        return true;
    }
    if (*place == move) return false;
    *place = move;
    return true;
}

/// Whether a score that is offered is better founded than the one that is there.
bool is_better_founded(const KnownMove& offered, const KnownMove& present) {
    if (offered.source != present.source) return offered.source > present.source;
    return offered.source == ScoreSource::search && offered.depth > present.depth;
}

/// Puts scores in their places that are better founded than those there. False when nothing
/// changes.
bool add_better(KnownPosition& known, std::span<const KnownMove> offered) {
    bool is_changed = false;
    for (const KnownMove& move : offered) {
        const KnownMove* present = known.find(move.index);
        if (present == nullptr || is_better_founded(move, *present))
            is_changed |= set_move(known, move);
    }
    return is_changed;
}

/// Puts the score that the position after a move tells in its place. A proven score stays, unless
/// that position knows a proven one too.
bool set_expanded(KnownPosition& known, const KnownMove& move) {
    const KnownMove* present = known.find(move.index);
    const bool is_proven = present != nullptr && present->source > ScoreSource::expansion;
    if (is_proven && !is_certain(move.score)) return false;
    return set_move(known, move);
}

/// Whether set_expanded() would put this score in the place of that one. Depths do not count: one
/// that has grown is carried up with the next score that changes.
bool would_change(const KnownMove* present, DatabaseScore score) {
    if (present == nullptr) return true;
    if (present->source > ScoreSource::expansion) return is_certain(score);
    return present->source != ScoreSource::expansion || present->score != score;
}

bool has_parent(const KnownPosition& known, const PositionKey& parent) {
    return std::find(known.parents.begin(), known.parents.end(), parent) != known.parents.end();
}

bool add_parent(KnownPosition& known, const PositionKey& parent) {
    if (has_parent(known, parent)) return false;
    if (known.parents.size() == KnownPosition::max_parents)
        known.parents.erase(known.parents.begin());
    known.parents.push_back(parent);
    return true;
}

/// Takes back the quiet moves by which the piece on `to` may have come there. Some of the positions
/// are none that it could have moved from: the caller must look at their moves.
void take_back(const GameRules& rules, const Position& position, Bitboard to,
               std::vector<Position>& origins) {
    const Side side = opponent(position.side);
    const bool is_king = (position.kings & to) != 0;
    Position without = position;
    without.side = side;
    (side == Side::black ? without.black : without.white) &= ~to;
    without.kings &= ~to;
    const auto add = [&](Bitboard from, Bitboard king) {
        Position origin = without;
        (side == Side::black ? origin.black : origin.white) |= from;
        origin.kings |= king;
        if (!find_fault(origin)) origins.push_back(origin);
    };
    for (const Direction direction : all_directions) {
        Bitboard from = step(direction, to) & position.empty();
        const bool may_be_man = !is_king || (to & crowning_row_of(side)) != 0;
        if (from != 0 && may_be_man) add(from, 0);
        if (!is_king) continue;
        for (; from != 0; from = step(direction, from) & position.empty()) {
            add(from, from);
            if (!rules.flying_kings) break;
        }
    }
}

/// Positions from which the side that is not to move may have come here by a quiet move.
std::vector<Position> quiet_origins(const GameRules& rules, const Position& position) {
    std::vector<Position> origins;
    for (Bitboard left = position.theirs(); left != 0; left &= left - 1)
        take_back(rules, position, left & (~left + 1), origins);
    return origins;
}

}  // namespace

std::optional<Error> PositionDatabase::add(const Position& position,
                                           std::span<const KnownMove> scores, std::uint8_t ply,
                                           const std::optional<Position>& parent) {
    DEFIANCE_ASSERT(position.is_consistent());
    const PositionKey key = key_of_board(position);
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
    if (!*changed) return std::nullopt;
    if (was_new)
        if (auto error = link_quiet_parents(key)) return error;
    return refresh(position);
}

std::optional<Error> PositionDatabase::refresh(const Position& position) {
    const PositionKey key = key_of_board(position);
    if (auto error = link_children(key)) return error;
    return carry_up(key);
}

std::optional<Error> PositionDatabase::link_children(const PositionKey& key) {
    std::vector<Position> after;
    for (const CanonicalMove& move : canonical_moves(rules(), board_of(key)))
        after.push_back(move.after);
    const auto known = find_many(after);
    if (!known) return Error{known.error()};
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (!(*known)[i]) continue;
        // First the child: what it learns from here on is carried up to this position.
        const PositionKey child = key_of_board(after[i]);
        if (auto error = link(key, child)) return error;
        const auto taken = take_over(key, child);
        if (!taken) return Error{taken.error()};
    }
    return std::nullopt;
}

/// Tells known positions from which a quiet move leads here that they have a child. Those with a
/// capture are found when they are read or changed next.
std::optional<Error> PositionDatabase::link_quiet_parents(const PositionKey& key) {
    const Position position = board_of(key);
    const std::vector<Position> origins = quiet_origins(rules(), position);
    const auto known = find_many(origins);
    if (!known) return Error{known.error()};
    for (std::size_t i = 0; i < origins.size(); ++i) {
        if (!(*known)[i]) continue;
        if (!index_of_move_to(canonical_moves(rules(), origins[i]), position)) continue;
        if (auto error = link(key_of_board(origins[i]), key)) return error;
    }
    return std::nullopt;
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

/// Gives a parent what a child knows. True when the best score of the parent has changed.
Result<bool> PositionDatabase::take_over(const PositionKey& parent, const PositionKey& child) {
    const auto move = expanded_move(parent, child);
    if (!move) return Error{move.error()};
    if (!*move) return false;
    bool is_best_changed = false;
    const auto changed = change(parent, [&](KnownPosition& position, bool is_new) {
        if (is_new) return false;
        const bool had_moves = !position.moves.empty();
        const DatabaseScore before = had_moves ? position.best() : 0;
        if (!set_expanded(position, **move)) return false;
        is_best_changed = !had_moves || position.best() != before;
        return true;
    });
    if (!changed) return Error{changed.error()};
    return *changed && is_best_changed;
}

/// The move from a position to a complete one, with the score that this one tells.
Result<std::optional<KnownMove>> PositionDatabase::expanded_move(const PositionKey& parent,
                                                                 const PositionKey& child) {
    const std::vector<CanonicalMove> moves = canonical_moves(rules(), board_of(parent));
    // A position with black to move has parents with white to move: the same ones turned round.
    const auto index = index_of_move_to(moves, flipped(board_of(child)));
    const auto known = find(board_of(child));
    if (!known) return Error{known.error()};
    if (!index || !*known) return std::optional<KnownMove>();
    const auto score = score_through(parent, moves[*index], **known);
    if (!score) return Error{score.error()};
    if (!*score) return std::optional<KnownMove>();
    const int depth = std::min((*known)->best_move().depth + 1, 255);
    return std::optional(KnownMove{static_cast<std::uint8_t>(*index),
                                   static_cast<std::int16_t>(**score),
                                   static_cast<std::uint8_t>(depth), ScoreSource::expansion});
}

/// What a move is worth for its player by what is known of the position after it; nothing when that
/// is not complete.
Result<std::optional<DatabaseScore>> PositionDatabase::score_through(const PositionKey& parent,
                                                                     const CanonicalMove& move,
                                                                     const KnownPosition& below) {
    if (below.moves.empty() || below.moves.size() < canonical_moves(rules(), move.after).size())
        return std::optional<DatabaseScore>();
    if (is_reversible(board_of(parent), move.move)) {
        const auto is_loop = comes_back(parent, key_of_board(move.after));
        if (!is_loop) return Error{is_loop.error()};
        if (*is_loop) return std::optional<DatabaseScore>(0);
    }
    return std::optional(score_of_move(below.best()));
}

/// Whether the best line from `from` on leads through `to`, by moves that can be taken back.
Result<bool> PositionDatabase::comes_back(const PositionKey& to, const PositionKey& from) {
    constexpr std::size_t longest_loop = 32;
    const auto line = best_line(board_of(from), longest_loop);
    if (!line) return Error{line.error()};
    Position before = board_of(from);
    for (const LineMove& move : *line) {
        if (!is_reversible(before, move.move.move)) return false;
        before = move.move.after;
        if (key_of_board(before) == to) return true;
    }
    return false;
}

std::optional<Error> PositionDatabase::carry_up(const PositionKey& key) {
    std::deque<PositionKey> changed = {key};
    for (int step = 0; !changed.empty() && step < max_steps_up; ++step) {
        const PositionKey child = changed.front();
        changed.pop_front();
        const auto known = find(board_of(child));
        if (!known) return Error{known.error()};
        if (!*known) continue;
        for (const PositionKey& parent : (*known)->parents) {
            const auto taken = take_over(parent, child);
            if (!taken) return Error{taken.error()};
            if (*taken) changed.push_back(parent);
        }
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

std::optional<Error> PositionDatabase::settle(const PositionKey& key, Relatives relatives) {
    if (relatives == Relatives::all)
        if (auto error = link_quiet_parents(key)) return error;
    const auto known = find(board_of(key));
    if (!known) return Error{known.error()};
    if (!*known) return std::nullopt;
    const auto changed = settle_with_children(key, **known);
    if (!changed) return Error{changed.error()};
    if (*changed)
        if (auto error = carry_up(key)) return error;
    return relatives == Relatives::all ? settle_parents(key) : std::nullopt;
}

/// True when the best score has changed.
Result<bool> PositionDatabase::settle_with_children(const PositionKey& key,
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
        const auto score = score_through(key, moves[i], *below);
        if (!score) return Error{score.error()};
        if (!*score || !would_change(known.find(i), **score)) continue;
        const auto taken = take_over(key, child);
        if (!taken) return Error{taken.error()};
        is_best_changed |= *taken;
    }
    return is_best_changed;
}

/// Tells known positions after a position whose ply has become less. It ends because plies only
/// fall.
std::optional<Error> PositionDatabase::carry_plies_down(const PositionKey& key) {
    std::deque<PositionKey> changed = {key};
    for (; !changed.empty(); changed.pop_front()) {
        const auto known = find(board_of(changed.front()));
        if (!known) return Error{known.error()};
        DEFIANCE_ASSERT(*known);
        std::vector<Position> after;
        for (const CanonicalMove& move : canonical_moves(rules(), board_of(changed.front())))
            after.push_back(move.after);
        const auto children = find_many(after);
        if (!children) return Error{children.error()};
        for (std::size_t i = 0; i < after.size(); ++i) {
            if (!(*children)[i] || (*children)[i]->ply <= ply_after((*known)->ply)) continue;
            const PositionKey child = key_of_board(after[i]);
            if (auto error = link(changed.front(), child)) return error;
            changed.push_back(child);
        }
    }
    return std::nullopt;
}

/// Gives the parents of a position what it knows and they do not, and carries that up.
std::optional<Error> PositionDatabase::settle_parents(const PositionKey& key) {
    const auto known = find(board_of(key));
    if (!known) return Error{known.error()};
    DEFIANCE_ASSERT(*known);
    for (const PositionKey& parent : (*known)->parents) {
        const std::vector<CanonicalMove> moves = canonical_moves(rules(), board_of(parent));
        const auto index = index_of_move_to(moves, flipped(board_of(key)));
        const auto above = find(board_of(parent));
        if (!above) return Error{above.error()};
        if (!index || !*above) continue;
        const auto score = score_through(parent, moves[*index], **known);
        if (!score) return Error{score.error()};
        if (!*score || !would_change((*above)->find(*index), **score)) continue;
        const auto taken = take_over(parent, key);
        if (!taken) return Error{taken.error()};
        if (!*taken) continue;
        if (auto error = carry_up(parent)) return error;
    }
    return std::nullopt;
}

}  // namespace defiance
