// What positions are worth from which kings can go round and come back.

#include <deque>
#include <unordered_map>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/king_circles.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/propagation_links.hpp>
#include <tools/store/game_position.hpp>

namespace defiance {
namespace {

/// More positions are not settled together. Beyond them scores may rest on each other.
constexpr std::size_t max_circle = 4096;

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

}  // namespace

/// Complete positions whose scores rest on each other, the first of them on its own moves too.
struct PositionDatabase::Circle {
    struct Member {
        PositionKey key;
        KnownPosition known;
        std::vector<KingParent> parents;
        /// Of each move the position after it, if the score is to be that of it.
        std::vector<std::optional<PositionKey>> after;
    };

    [[nodiscard]] bool has(const PositionKey& key) const { return places.contains(key); }
    [[nodiscard]] std::vector<CirclePosition> settled() const;

    std::deque<Member> members;
    std::unordered_map<PositionKey, std::size_t, PositionKeyHash> places;
    std::size_t gathered = 0;  ///< members whose parents were looked at
};

/// The members with their scores as they are to be.
std::vector<CirclePosition> PositionDatabase::Circle::settled() const {
    std::vector<CirclePosition> circle;
    for (const Member& member : members) {
        CirclePosition& position = circle.emplace_back();
        position.moves = member.known.moves;
        for (const auto& after : member.after) {
            const auto place = after ? places.find(*after) : places.end();
            position.to.push_back(place == places.end() ? CirclePosition::outside : place->second);
        }
    }
    settle_circle(circle);
    return circle;
}

/// Adds a complete position, if there is room.
std::optional<Error> PositionDatabase::join(Circle& circle, const PositionKey& key,
                                            const KnownPosition& known) {
    if (circle.has(key) || circle.members.size() == max_circle) return std::nullopt;
    const Position board = board_of(key);
    Circle::Member member = {key, known, {}, {}};
    const std::vector<CanonicalMove> moves = canonical_moves(rules(), board);
    DEFIANCE_ASSERT(moves.size() == known.moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const bool is_told =
            is_reversible(board, moves[i].move) && known.moves[i].source <= ScoreSource::expansion;
        member.after.push_back(is_told ? std::optional(key_of_board(moves[i].after))
                                       : std::nullopt);
    }
    const std::vector<Position> origins =
        quiet_origins(rules(), board, board.theirs() & board.kings);
    const auto found = find_many(origins);
    if (!found) return Error{found.error()};
    for (std::size_t i = 0; i < origins.size(); ++i) {
        if (!is_complete((*found)[i], rules(), origins[i])) continue;
        const auto before = canonical_moves(rules(), origins[i]);
        const auto index = index_of_move_to(before, board);
        if (index && is_reversible(origins[i], before[*index].move))
            member.parents.push_back({key_of_board(origins[i]), *(*found)[i], *index});
    }
    circle.places[key] = circle.members.size();
    circle.members.push_back(std::move(member));
    return std::nullopt;
}

/// Adds all whose scores rest on those of members.
std::optional<Error> PositionDatabase::gather(Circle& circle) {
    for (; circle.gathered < circle.members.size(); ++circle.gathered)
        for (const KingParent& parent : circle.members[circle.gathered].parents)
            if (rests_on(parent))
                if (auto error = join(circle, parent.key, parent.known)) return error;
    return std::nullopt;
}

/// Adds parents whose best scores change by those of members. False when there are none.
Result<bool> PositionDatabase::widen(Circle& circle, const std::vector<CirclePosition>& settled) {
    const std::size_t before = circle.members.size();
    for (std::size_t at = 0; at < before; ++at) {
        const DatabaseScore score = score_of_move(best_move_of(settled[at].moves).score);
        for (const KingParent& parent : circle.members[at].parents)
            if (would_change_best(parent, score))
                if (auto error = join(circle, parent.key, parent.known)) return *error;
    }
    return circle.members.size() > before;
}

Result<bool> PositionDatabase::settle_once(const PositionKey& key, const KnownPosition& known,
                                           std::vector<PositionKey>& changed) {
    Circle circle;
    std::vector<CirclePosition> settled;
    if (auto error = join(circle, key, known)) return *error;
    for (bool is_wider = true; is_wider;) {
        if (auto error = gather(circle)) return *error;
        settled = circle.settled();
        const auto widened = widen(circle, settled);
        if (!widened) return Error{widened.error()};
        is_wider = *widened;
    }
    for (std::size_t at = 0; at < settled.size(); ++at) {
        const Circle::Member& member = circle.members[at];
        const std::vector<KnownMove>& moves = settled[at].moves;
        if (moves == member.known.moves) continue;
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

Result<std::vector<PositionKey>> PositionDatabase::settle(const PositionKey& key) {
    const Position board = board_of(key);
    std::vector<PositionKey> changed = {key};
    // One side alone cannot come back.
    if ((board.own() & board.kings) == 0 || (board.theirs() & board.kings) == 0) return changed;
    constexpr int max_trials = 100;
    for (int trial = 0; trial < max_trials; ++trial) {
        const auto known = find(board);
        if (!known) return Error{known.error()};
        if (!is_complete(*known, rules(), board)) break;
        const auto is_settled = settle_once(key, **known, changed);
        if (!is_settled) return Error{is_settled.error()};
        if (*is_settled) break;
    }
    return changed;
}

Result<bool> PositionDatabase::break_circle(const Position& position) {
    constexpr std::size_t most_plies = 32;
    const auto has_kings = [](const Position& p) {
        return (p.own() & p.kings) != 0 && (p.theirs() & p.kings) != 0;
    };
    if (!has_kings(position)) return false;
    const auto line = best_line(position, most_plies);
    if (!line) return Error{line.error()};
    if (line->empty() || line->front().known.score == 0) return false;
    const Position& last = line->back().move.after;
    bool is_met = last == position;
    for (std::size_t i = 0; i + 1 < line->size(); ++i)
        is_met |= (*line)[i].move.after == last;
    if (!is_met) return false;
    if (auto error = propagate(key_of_board(last))) return *error;
    return true;
}

}  // namespace defiance
