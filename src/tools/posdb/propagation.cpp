// How scores spread from a position to those it can be reached from.

#include <algorithm>
#include <deque>
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

/// Puts the score that the position after a move tells in its place. A proven score stays, unless
/// that position knows a proven one too.
bool set_expanded(KnownPosition& known, const KnownMove& move) {
    const KnownMove* present = known.find(move.index);
    const bool is_proven = present != nullptr && present->source > ScoreSource::expansion;
    if (is_proven && !is_certain(move.score)) return false;
    return set_move(known, move);
}

bool add_parent(KnownPosition& known, const PositionKey& parent) {
    if (std::find(known.parents.begin(), known.parents.end(), parent) != known.parents.end())
        return false;
    if (known.parents.size() == KnownPosition::max_parents)
        known.parents.erase(known.parents.begin());
    known.parents.push_back(parent);
    return true;
}

/// A ply further from the start.
std::uint8_t next_ply(std::uint8_t ply) {
    return ply < KnownPosition::max_ply_from_start ? static_cast<std::uint8_t>(ply + 1) : ply;
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
        for (const KnownMove& move : scores) {
            const KnownMove* present = known.find(move.index);
            if (present == nullptr || is_better_founded(move, *present))
                is_changed |= set_move(known, move);
        }
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
    const std::uint8_t ply = next_ply((*above)->ply);
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
    if (!index || !*known || (*known)->moves.empty() ||
        (*known)->moves.size() < canonical_moves(rules(), board_of(child)).size())
        return std::optional<KnownMove>();
    const KnownMove& best = (*known)->best_move();
    DatabaseScore score = score_of_move(best.score);
    if (is_reversible(board_of(parent), moves[*index].move)) {
        const auto is_loop = comes_back(parent, child);
        if (!is_loop) return Error{is_loop.error()};
        if (*is_loop) score = 0;
    }
    return std::optional(KnownMove{
        static_cast<std::uint8_t>(*index), static_cast<std::int16_t>(score),
        static_cast<std::uint8_t>(std::min(best.depth + 1, 255)), ScoreSource::expansion});
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

}  // namespace defiance
