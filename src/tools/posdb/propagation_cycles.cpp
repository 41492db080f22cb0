// What positions are worth from which kings can go round and come back.

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/king_cycles.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/propagation_links.hpp>
#include <tools/store/game_position.hpp>

namespace defiance {
namespace {

/// More positions are not settled together. Beyond them scores may rest on each other.
constexpr std::size_t max_cycle = 256;

/// A complete position with a king's move to another one.
struct KingParent {
    PositionKey key;
    KnownPosition known;
    std::size_t index = 0;  ///< of the move
};

/// Whether the best score of a parent may be one that it has from this move alone.
bool rests_on(const KingParent& parent) {
    const KnownMove& move = *parent.known.find(parent.index);
    return move.source == ScoreSource::expansion && move.score != 0 &&
           move.score == parent.known.best();
}

/// Whether the best score of a parent may change when its move is worth so much.
bool would_change_best(const KingParent& parent, DatabaseScore score) {
    const KnownMove& move = *parent.known.find(parent.index);
    if (move.source > ScoreSource::expansion) return false;
    if (move.source == ScoreSource::expansion && move.score == score) return false;
    return score >= parent.known.best() || move.score == parent.known.best();
}

/// Whether moves have the same scores and detours. Other depths change with what was settled
/// together, and are left as they are.
bool tell_the_same(const std::vector<KnownMove>& a, const std::vector<KnownMove>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [](const KnownMove& x, const KnownMove& y) {
            return x.score == y.score && x.source == y.source && x.is_detour() == y.is_detour();
        });
}

bool has_kings(const Position& position) {
    return (position.own() & position.kings) != 0 && (position.theirs() & position.kings) != 0;
}

/// Whether a move can be taken back, and is worth what the position after it tells.
bool may_go_round(const Position& board, const std::vector<CanonicalMove>& moves,
                  const KnownMove& move) {
    return move.source <= ScoreSource::expansion && is_reversible(board, moves[move.index].move);
}

}  // namespace

/// Complete positions whose scores rest on each other, the first of them on its own moves too.
struct PositionDatabase::Cycle {
    struct Member {
        PositionKey key;
        KnownPosition known;
        std::vector<KingParent> parents;
        /// Of each move the position after it, if the score is to be that of it.
        std::vector<std::optional<PositionKey>> after;
    };

    [[nodiscard]] bool has(const PositionKey& key) const { return places.contains(key); }
    [[nodiscard]] bool is_full() const { return members.size() == max_cycle; }
    [[nodiscard]] std::vector<CyclePosition> settled() const;

    std::deque<Member> members;
    std::unordered_map<PositionKey, std::size_t, PositionKeyHash> places;
    std::size_t gathered = 0;  ///< members whose parents were looked at
};

/// The members with their scores as they are to be.
std::vector<CyclePosition> PositionDatabase::Cycle::settled() const {
    std::vector<CyclePosition> cycle;
    for (const Member& member : members) {
        CyclePosition& position = cycle.emplace_back();
        position.moves = member.known.moves;
        for (std::size_t i = 0; i < member.after.size(); ++i) {
            const auto place = member.after[i] ? places.find(*member.after[i]) : places.end();
            const bool is_out = place == places.end();
            position.to.push_back(is_out ? CyclePosition::outside : place->second);
            // No score after a move that leads out rests on that of a member: it is no detour.
            KnownMove& move = position.moves[i];
            if (is_out && !is_full() && move.is_detour()) move.depth = 1;
        }
    }
    settle_cycle(cycle);
    return cycle;
}

/// Adds a complete position, if there is room.
std::optional<Error> PositionDatabase::join(Cycle& cycle, const PositionKey& key,
                                            const KnownPosition& known) {
    if (cycle.has(key) || cycle.is_full()) return std::nullopt;
    const Position board = board_of(key);
    Cycle::Member member = {key, known, {}, {}};
    const std::vector<CanonicalMove> moves = canonical_moves(rules(), board);
    DEFIANCE_ASSERT(moves.size() == known.moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const bool is_told = may_go_round(board, moves, known.moves[i]);
        member.after.push_back(is_told ? std::optional(key_of_board(moves[i].after))
                                       : std::nullopt);
    }
    const std::vector<Position> origins =
        quiet_origins(rules(), board, board.theirs() & board.kings);
    const auto found = find_many(origins);
    if (!found) return Error{found.error()};
    for (std::size_t i = 0; i < origins.size(); ++i) {
        if (!(*found)[i] || (*found)[i]->moves.empty()) continue;
        const auto before = canonical_moves(rules(), origins[i]);
        if ((*found)[i]->moves.size() < before.size()) continue;
        const auto index = index_of_move_to(before, board);
        if (index && is_reversible(origins[i], before[*index].move))
            member.parents.push_back({key_of_board(origins[i]), *(*found)[i], *index});
    }
    cycle.places[key] = cycle.members.size();
    cycle.members.push_back(std::move(member));
    return std::nullopt;
}

/// Adds all whose scores rest on those of members.
std::optional<Error> PositionDatabase::gather(Cycle& cycle) {
    for (; cycle.gathered < cycle.members.size(); ++cycle.gathered)
        for (const KingParent& parent : cycle.members[cycle.gathered].parents)
            if (rests_on(parent))
                if (auto error = join(cycle, parent.key, parent.known)) return error;
    return std::nullopt;
}

/// Adds parents whose best scores change by those of members. False when there are none.
Result<bool> PositionDatabase::widen(Cycle& cycle, const std::vector<CyclePosition>& settled) {
    const std::size_t before = cycle.members.size();
    for (std::size_t at = 0; at < before; ++at) {
        const DatabaseScore score = score_of_move(best_move_of(settled[at].moves).score);
        for (const KingParent& parent : cycle.members[at].parents)
            if (would_change_best(parent, score))
                if (auto error = join(cycle, parent.key, parent.known)) return *error;
    }
    return cycle.members.size() > before;
}

Result<bool> PositionDatabase::settle_once(const PositionKey& key, const KnownPosition& known,
                                           std::vector<PositionKey>& changed, Changes& changes) {
    Cycle cycle;
    std::vector<CyclePosition> settled;
    if (auto error = join(cycle, key, known)) return *error;
    for (bool is_wider = true; is_wider;) {
        if (auto error = gather(cycle)) return *error;
        settled = cycle.settled();
        const auto widened = widen(cycle, settled);
        if (!widened) return Error{widened.error()};
        is_wider = *widened;
    }
    changes.steps_ += cycle.members.size();
    for (std::size_t at = 0; at < settled.size(); ++at) {
        const Cycle::Member& member = cycle.members[at];
        const std::vector<KnownMove>& moves = settled[at].moves;
        changes.settled_.insert(member.key);
        if (tell_the_same(moves, member.known.moves)) continue;
        const auto written = change(member.key, [&](KnownPosition& position, bool is_new) {
            if (is_new || position.moves != member.known.moves) return false;
            position.moves = moves;
            return true;
        });
        if (!written || !*written) return written;
        if (at > 0 && !is_same_choice(best_move_of(moves), member.known.best_move()))
            changed.push_back(member.key);
    }
    return true;
}

/// Whether the best score of a position may rest on that of one whose best score may rest on
/// another one's in turn, both by kings' moves.
Result<bool> PositionDatabase::may_rest_on_itself(const PositionKey& key,
                                                  const KnownPosition& known) {
    const DatabaseScore best = known.best();
    if (best == 0) return false;
    // One that was settled as a detour may be none any more.
    if (std::any_of(known.moves.begin(), known.moves.end(),
                    [&](const KnownMove& move) { return move.is_detour() && move.score == best; }))
        return true;
    const Position board = board_of(key);
    const std::vector<CanonicalMove> moves = canonical_moves(rules(), board);
    std::vector<Position> after;
    for (const KnownMove& move : known.moves)
        // A loss rests on all moves.
        if ((best < 0 || move.score == best) && may_go_round(board, moves, move))
            after.push_back(moves[move.index].after);
    const auto found = find_many(after);
    if (!found) return Error{found.error()};
    for (std::size_t i = 0; i < after.size(); ++i) {
        const std::optional<KnownPosition>& next = (*found)[i];
        if (!next || next->moves.empty() || next->best() == 0) continue;
        const Position seen = with_black_to_move(after[i]);
        const std::vector<CanonicalMove> replies = canonical_moves(rules(), seen);
        if (next->moves.size() < replies.size()) continue;
        if (std::any_of(next->moves.begin(), next->moves.end(), [&](const KnownMove& move) {
                return move.score == next->best() && may_go_round(seen, replies, move);
            }))
            return true;
    }
    return false;
}

Result<std::vector<PositionKey>> PositionDatabase::settle(const PositionKey& key,
                                                          Changes& changes) {
    const Position board = board_of(key);
    std::vector<PositionKey> changed = {key};
    // One side alone cannot come back.
    if (!has_kings(board) || changes.settled_.contains(key)) return changed;
    constexpr int max_trials = 100;
    for (int trial = 0; trial < max_trials; ++trial) {
        const auto known = find(board);
        if (!known) return Error{known.error()};
        if (!is_complete(*known, rules(), board)) break;
        const auto may_rest = may_rest_on_itself(key, **known);
        if (!may_rest) return Error{may_rest.error()};
        if (!*may_rest) break;
        const auto is_settled = settle_once(key, **known, changed, changes);
        if (!is_settled) return Error{is_settled.error()};
        if (*is_settled) break;
    }
    return changed;
}

Result<bool> PositionDatabase::break_cycle(const Position& position) {
    constexpr std::size_t most_plies = 32;
    if (!has_kings(position)) return false;
    const auto line = best_line(position, most_plies);
    if (!line) return Error{line.error()};
    if (line->empty() || line->front().known.score == 0) return false;
    const Position& last = line->back().move.after;
    bool is_met = last == position;
    for (std::size_t i = 0; i + 1 < line->size(); ++i)
        is_met |= (*line)[i].move.after == last;
    if (!is_met) return false;
    // Those who only read a position do not wait for what rests on larger cycles.
    Changes changes;
    changes.add(key_of_board(last));
    if (auto error = carry_up(changes, max_cycle)) return *error;
    return true;
}

}  // namespace defiance
