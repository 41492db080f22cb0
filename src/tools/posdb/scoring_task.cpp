#include <tools/posdb/scoring_task.hpp>

#include <algorithm>
#include <deque>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/store/byte_codec.hpp>

namespace defiance {
namespace {

/// A position met on the way along good moves.
struct Visited {
    Position position;
    std::optional<KnownPosition> known;
    std::optional<PositionKey> parent;
    std::uint8_t ply = KnownPosition::max_ply_from_start;
    bool is_after_best = false;
};

/// Visits a position and those that good moves lead to, the nearest first, at most `limit` known
/// ones, until `visit` returns false. Endgames and ends are left out.
template <class Visit>
std::optional<Error> walk(PositionDatabase& database, const Position& start, int limit,
                          EgdbBudget& budget, const Visit& visit) {
    std::deque<Visited> waiting(1);
    waiting.front().position = start;
    std::vector<PositionKey> seen = {key_of_board(start)};
    for (int left = limit; !waiting.empty() && left > 0;) {
        Visited next = std::move(waiting.front());
        waiting.pop_front();
        auto found = database.find(next.position);
        if (!found) return Error{found.error()};
        next.known = *std::move(found);
        if (!visit(std::as_const(next))) return std::nullopt;
        if (!next.known || next.known->moves.empty()) continue;
        --left;
        const std::vector<CanonicalMove> moves = canonical_moves(database.rules(), next.position);
        std::vector<KnownMove> known = next.known->moves;
        std::stable_sort(known.begin(), known.end(),
                         [](const KnownMove& a, const KnownMove& b) { return a.score > b.score; });
        const DatabaseScore best = known.front().score;
        for (const KnownMove& move : known) {
            // Where no move is good the way goes on over the best.
            const int rank = move.score == best ? 2 : rank_of(move.score, best);
            if (rank == 0) break;
            const Position& after = moves[move.index].after;
            if (std::find(seen.begin(), seen.end(), key_of_board(after)) != seen.end()) continue;
            seen.push_back(key_of_board(after));
            if (database.is_trivial(after, budget)) continue;
            Visited& found_next = waiting.emplace_back();
            found_next.position = after;
            found_next.parent = key_of_board(next.position);
            found_next.ply = ply_after(next.known->ply);
            found_next.is_after_best = next.position == start ? rank == 2 : next.is_after_best;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string encode(const TaskNote& note) {
    std::string bytes;
    append_little_endian(bytes, note.ply, 1);
    if (note.parent) append_key(bytes, *note.parent);
    DEFIANCE_ASSERT(bytes.size() <= max_task_note);
    return bytes;
}

std::optional<TaskNote> decode_note(std::string_view bytes) {
    if (bytes.size() != 1 && bytes.size() != 1 + position_key_bytes) return std::nullopt;
    TaskNote note;
    note.ply = static_cast<std::uint8_t>(little_endian_at(bytes, 0, 1));
    if (bytes.size() > 1) note.parent = key_at(bytes, 1);
    if (note.parent && !board_of(*note.parent).is_consistent()) return std::nullopt;
    return note;
}

Result<PushOutcome> push_position(PositionStore& store, StoreGame game, const PositionKey& key,
                                  const TaskNote& note, int priority) {
    DEFIANCE_ASSERT(priority >= 0 && priority <= max_task_priority);
    return store.push({game, key, priority, encode(note)});
}

Result<std::optional<int>> queue_around(PositionDatabase& database, PositionStore& store,
                                        const Position& position, EgdbBudget& budget) {
    constexpr int max_known = 200;
    constexpr int max_queued = 5;
    int queued = 0;
    std::optional<Error> failure;
    bool is_full = false;
    const PositionKey start = key_of_board(database.rules().start_position());
    const auto error = walk(database, position, max_known, budget, [&](const Visited& visited) {
        if (is_complete(visited.known, database.rules(), visited.position)) return true;
        const PositionKey key = key_of_board(visited.position);
        const TaskNote note = {key == start ? std::uint8_t{0} : visited.ply, visited.parent};
        const auto outcome = push_position(store, database.game(), key, note, wanted_priority);
        if (!outcome) failure = Error{outcome.error()};
        is_full = outcome && *outcome == PushOutcome::full;
        return outcome && !is_full && ++queued < max_queued;
    });
    if (error) return *error;
    if (failure) return *failure;
    if (is_full) return std::optional<int>();
    return std::optional(queued);
}

Result<Breadth> count_around(PositionDatabase& database, const Position& position, int limit,
                             EgdbBudget& budget) {
    Breadth breadth;
    const auto error = walk(database, position, limit, budget, [&](const Visited& visited) {
        if (!visited.known || visited.known->moves.empty()) return true;
        ++breadth.positions;
        if (visited.is_after_best) ++breadth.after_best;
        return breadth.positions < limit;
    });
    if (error) return *error;
    return breadth;
}

}  // namespace defiance
