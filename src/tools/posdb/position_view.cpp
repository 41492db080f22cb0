#include <tools/posdb/position_view.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// What the position after a move adds to the view of it.
void show_replies(MoveView& view, const KnownPosition& after) {
    view.is_child_known = true;
    view.replies = static_cast<int>(after.moves.size());
    if (after.moves.empty()) return;
    const double threshold = good_threshold(after.best());
    view.good_replies = static_cast<int>(
        std::count_if(after.moves.begin(), after.moves.end(),
                      [&](const KnownMove& move) { return move.score >= threshold; }));
}

/// What the database knows of a move with a score.
KnownMove known_move(const MoveView& move) {
    return {static_cast<std::uint8_t>(move.index), static_cast<std::int16_t>(*move.score),
            static_cast<std::uint8_t>(move.depth), move.source};
}

/// The first move is the one with which best lines begin.
bool is_shown_before(const MoveView& a, const MoveView& b) {
    if (a.score.has_value() != b.score.has_value()) return a.score.has_value();
    if (!a.score)
        return std::tuple(a.good_replies, -a.replies) < std::tuple(b.good_replies, -b.replies);
    if (is_preferred(known_move(a), known_move(b))) return true;
    return !is_preferred(known_move(b), known_move(a)) && a.index < b.index;
}

/// What the endgame databases say of a position, for the side to move; nothing when they do not
/// know it. A position without a legal move is lost.
std::optional<DatabaseScore> egdb_score(const PositionDatabase& database, const Position& position,
                                        EgdbMetric metric, EgdbBudget& budget) {
    if (database.rules().count_moves(position) == 0) return -proven_score;
    const auto result = database.egdb_value(position, budget);
    if (!result) return std::nullopt;
    if (result->wld == Wld::draw) return 0;
    if (metric == EgdbMetric::end_of_game && result->dtw) return database_score(*result);
    const auto conversion = database.egdb_dtc(position);
    if (!conversion) return database_score(*result);
    const DatabaseScore win = conversion_score - std::clamp(*conversion, 0, 999);
    return result->wld == Wld::win ? win : -win;
}

/// The position with its moves, of which nothing is known yet.
PositionView view_of(const GameRules& rules, const Position& position) {
    PositionView view;
    view.position = position;
    for (NamedMove& named : named_moves(rules, position))
        view.moves.emplace_back().named = std::move(named);
    return view;
}

int outcome_of(DatabaseScore score) {
    return score > 0 ? 1 : score < 0 ? -1 : 0;
}

/// Whether a move with this score is as good as the position, of which the databases say `value`.
bool keeps_value(DatabaseScore score, const EgdbResult& value, EgdbMetric metric) {
    const DatabaseScore whole = database_score(value);
    if (metric == EgdbMetric::end_of_game && value.dtw) return score == whole;
    return outcome_of(score) == outcome_of(whole);
}

/// Puts in what the endgame databases say of the moves, the best first. `value` is what they say of
/// the position. When they did not get to all the moves and none of the others is as good as that,
/// no move has a score: the best one may be a mistake.
void show_endgame(const PositionDatabase& database, PositionView& view, const EgdbResult& value,
                  EgdbMetric metric, EgdbBudget& budget) {
    view.state = PositionView::State::endgame;
    for (MoveView& move : view.moves)
        move.is_child_known = true;
    std::vector<MoveView> moves = view.moves;
    for (MoveView& move : moves) {
        const auto after = egdb_score(database, move.named.after, metric, budget);
        if (!after) continue;
        move.score = score_of_move(*after);
        // Only the end of the game tells how many plies are played out.
        const bool is_to_end = std::abs(*after) > conversion_score;
        move.depth = is_to_end ? std::min(proven_score - std::abs(*after), 255) : 0;
        move.source = *after == -proven_score ? ScoreSource::final : ScoreSource::database;
    }
    std::stable_sort(moves.begin(), moves.end(), is_shown_before);
    const std::optional<DatabaseScore> best = moves.front().score;
    const bool is_whole = moves.back().score && !budget.is_spent();
    if (is_whole || (best && keeps_value(*best, value, metric))) view.moves = std::move(moves);
}

/// True when the position after a move tells something else than the move says: because it does not
/// know this one as a parent, which is so after a long capture and when too many others have come
/// after it, or because what was to carry the score up was interrupted.
bool is_behind(const PositionDatabase& database, const CanonicalMove& canonical,
               const KnownMove* move, const std::optional<KnownPosition>& known) {
    if (!known || known->moves.empty()) return false;
    if (move != nullptr && move->source > ScoreSource::expansion) return false;
    const bool is_told = move != nullptr && move->source == ScoreSource::expansion;
    if (is_told && move->score == score_of_move(known->best())) return false;
    return is_complete(known, database.rules(), canonical.after);
}

struct Found {
    KnownPosition known;
    std::vector<std::optional<KnownPosition>> after;  ///< of each move in the order of the view
    bool is_behind = false;
};

Result<std::optional<Found>> find_with_replies(PositionDatabase& database, const PositionView& view,
                                               const std::vector<CanonicalMove>& canonical) {
    std::vector<Position> positions = {view.position};
    for (const MoveView& move : view.moves)
        positions.push_back(move.named.after);
    auto all = database.find_many(positions);
    if (!all) return Error{all.error()};
    std::vector<std::optional<KnownPosition>> known = *std::move(all);
    std::optional<Found> found;
    found.emplace();
    found->after.assign(std::make_move_iterator(known.begin() + 1),
                        std::make_move_iterator(known.end()));
    if (!known.front()) return found;
    found->known = *std::move(known.front());
    for (std::size_t i = 0; i < view.moves.size(); ++i) {
        const std::size_t index = *index_of_move_to(canonical, view.moves[i].named.after);
        found->is_behind |=
            is_behind(database, canonical[index], found->known.find(index), found->after[i]);
    }
    return found;
}

/// The same after what was left undone around the position is done; `view` notes when it cannot be.
Result<std::optional<Found>> find_put_right(PositionDatabase& database, PositionView& view,
                                            const std::vector<CanonicalMove>& canonical) {
    auto found = find_with_replies(database, view, canonical);
    if (found && (*found)->is_behind) {
        view.is_behind = database.refresh(view.position).has_value();
        if (!view.is_behind) found = find_with_replies(database, view, canonical);
    }
    if (!found || view.is_behind || (*found)->known.moves.empty()) return found;
    const auto is_broken = database.break_cycle(view.position);
    view.is_behind = !is_broken;
    if (is_broken && *is_broken) found = find_with_replies(database, view, canonical);
    return found;
}

}  // namespace

int PositionView::rank(const MoveView& move) const {
    DEFIANCE_ASSERT(move.score && has_score());
    if (state != State::endgame) return rank_of(*move.score, best());
    if (move.score == best()) return 2;
    return outcome_of(*move.score) == outcome_of(best()) ? 1 : 0;
}

Result<PositionView> look_up(PositionDatabase& database, const Position& position,
                             EgdbMetric metric, EgdbBudget& budget) {
    PositionView view = view_of(database.rules(), position);
    if (view.moves.empty()) {
        view.state = PositionView::State::ended;
        return view;
    }
    if (const auto value = database.egdb_value(position, budget)) {
        show_endgame(database, view, *value, metric, budget);
        return view;
    }
    const std::vector<CanonicalMove> canonical = canonical_moves(database.rules(), position);
    const auto found = find_put_right(database, view, canonical);
    if (!found) return Error{found.error()};
    const Found& replies = **found;
    view.ply = replies.known.ply;
    if (!replies.known.moves.empty()) view.state = PositionView::State::known;
    for (std::size_t i = 0; i < view.moves.size(); ++i) {
        MoveView& move = view.moves[i];
        if (replies.after[i]) show_replies(move, *replies.after[i]);
        move.index = *index_of_move_to(canonical, move.named.after);
        const KnownMove* known = replies.known.find(move.index);
        if (known == nullptr) continue;
        move.score = known->score;
        move.depth = known->depth;
        move.source = known->source;
    }
    std::stable_sort(view.moves.begin(), view.moves.end(), is_shown_before);
    return view;
}

std::optional<PositionView> look_up_endgame(const PositionDatabase& database,
                                            const Position& position, EgdbMetric metric,
                                            EgdbBudget& budget) {
    const auto value = database.egdb_value(position, budget);
    if (!value) return std::nullopt;
    PositionView view = view_of(database.rules(), position);
    if (view.moves.empty()) return std::nullopt;
    show_endgame(database, view, *value, metric, budget);
    if (budget.is_spent()) return std::nullopt;
    return view;
}

}  // namespace defiance
