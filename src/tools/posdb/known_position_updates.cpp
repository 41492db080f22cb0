#include <tools/posdb/known_position_updates.hpp>

#include <algorithm>

namespace defiance {
namespace {

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

}  // namespace

bool add_better(KnownPosition& known, std::span<const KnownMove> offered) {
    bool is_changed = false;
    for (const KnownMove& move : offered) {
        const KnownMove* present = known.find(move.index);
        if (present == nullptr || is_better_founded(move, *present))
            is_changed |= set_move(known, move);
    }
    return is_changed;
}

bool would_change(const KnownMove* present, DatabaseScore score, bool is_reversible) {
    if (present == nullptr) return true;
    if (present->source > ScoreSource::expansion) return !is_reversible && is_certain(score);
    return present->source != ScoreSource::expansion || present->score != score;
}

bool set_expanded(KnownPosition& known, const KnownMove& move, bool is_reversible) {
    const KnownMove* present = known.find(move.index);
    if (would_change(present, move.score, is_reversible)) return set_move(known, move);
    // A depth that has grown counts alone only where it does not tell a detour from other moves.
    const bool is_deeper = !is_reversible && present->source == ScoreSource::expansion;
    return is_deeper && set_move(known, move);
}

bool has_score_of(const GameRules& rules, const PositionKey& parent, const KnownPosition& above,
                  const PositionKey& key, const KnownPosition& known) {
    const auto index =
        index_of_move_to(canonical_moves(rules, board_of(parent)), flipped(board_of(key)));
    const KnownMove* move = index ? above.find(*index) : nullptr;
    return move != nullptr && move->source == ScoreSource::expansion &&
           move->score == score_of_move(known.best());
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

}  // namespace defiance
