#include <tools/posdb/position_database.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/rules/games.hpp>

namespace defiance {
namespace {

/// So many positions that a query looks at for an endgame: mostly a few, but the plies of five
/// pieces with flying kings may take tens of thousands.
constexpr std::size_t max_egdb_positions = std::size_t{1} << 17;
/// So many positions endgame databases look at until they ask whether to stop. Before a look into
/// one made by others, which may read from disk, they always ask: it costs as much.
constexpr std::size_t positions_between_questions = 64;

template <class... Rules>
constexpr bool are_stored(GameList<Rules...>) {
    const auto is_stored = [](std::string_view word) {
        return std::find(store_game_names.begin(), store_game_names.end(), word) !=
               store_game_names.end();
    };
    return (is_stored(Rules::file_word) && ...);
}
static_assert(are_stored(AllGames{}), "a game has no StoreGame");

}  // namespace

StoreGame store_game_of(const GameRules& rules) {
    const auto found = std::find(store_game_names.begin(), store_game_names.end(), rules.file_word);
    DEFIANCE_ASSERT(found != store_game_names.end());
    return static_cast<StoreGame>(found - store_game_names.begin());
}

PositionDatabase::PositionDatabase(const GameCore& core, PositionStore& store,
                                   const EndgameDatabases* endgames)
    : core_(core), store_(store), endgames_(endgames), game_(store_game_of(core.rules)) {
    DEFIANCE_ASSERT(endgames == nullptr || &endgames->rules() == &core.rules);
}

int PositionDatabase::endgame_pieces() const {
    return endgames_ == nullptr ? 0 : endgames_->pieces();
}

std::optional<EgdbResult> PositionDatabase::egdb_value(const Position& position,
                                                       EgdbBudget& budget) const {
    if (std::popcount(position.occupied()) > endgame_pieces() || budget.is_spent())
        return std::nullopt;
    return endgames_->resolve(position, max_egdb_positions, [&] {
        budget.take(positions_between_questions);
        return budget.is_spent();
    });
}

std::optional<int> PositionDatabase::egdb_dtc(const Position& position) const {
    if (std::popcount(position.occupied()) > endgame_pieces()) return std::nullopt;
    return endgames_->dtc(position);
}

bool PositionDatabase::is_trivial(const Position& position, EgdbBudget& budget) const {
    return rules().count_moves(position) == 0 || egdb_value(position, budget).has_value();
}

Result<std::optional<KnownPosition>> PositionDatabase::find(const Position& position) {
    auto found = find_many({&position, 1});
    if (!found) return Error{found.error()};
    return std::move((*std::move(found)).front());
}

Result<std::vector<std::optional<KnownPosition>>> PositionDatabase::find_many(
    std::span<const Position> positions) {
    std::vector<PositionKey> keys;
    keys.reserve(positions.size());
    for (const Position& position : positions)
        keys.push_back(key_of_board(position));
    const auto values = store_.get_many(game_, keys);
    if (!values) return Error{values.error()};
    DEFIANCE_ASSERT(values->size() == keys.size());
    std::vector<std::optional<KnownPosition>> all(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        if ((*values)[i]) all[i] = decoded(keys[i], *(*values)[i]);
    return all;
}

std::optional<Error> PositionDatabase::for_each(const Visit& visit) {
    return store_.for_each(game_, [&](const PositionKey& key, const StoredValue& value) {
        const auto known = decoded(key, value);
        return !known || visit(board_of(key), *known);
    });
}

/// What a value says; nothing, and that is counted, when it makes no sense. An error would keep all
/// from being known that has to do with the position, for as long as the store has it.
std::optional<KnownPosition> PositionDatabase::decoded(const PositionKey& key,
                                                       const StoredValue& value) {
    auto known = decode(value.bytes, rules(), key);
    if (!known) ++undecodable_;
    return known;
}

Result<bool> PositionDatabase::change(const PositionKey& key, const Change& change) {
    constexpr int max_conflicts = 1000;
    for (int trial = 0; trial < max_conflicts; ++trial) {
        const auto value = store_.get(game_, key);
        if (!value) return Error{value.error()};
        std::optional<KnownPosition> known = *value ? decoded(key, **value) : std::nullopt;
        const bool is_new = !known;
        if (is_new) known.emplace();
        if (!change(*known, is_new)) return false;
        const auto outcome =
            store_.update(game_, key, *value ? (*value)->version : 0, encode(*known, rules(), key));
        if (!outcome) return Error{outcome.error()};
        if (*outcome == UpdateOutcome::stored) return true;
    }
    return Error{"the store is too busy: a position was always changed by others"};
}

Result<std::vector<PositionDatabase::LineMove>> PositionDatabase::best_line(
    const Position& position, std::size_t max_plies) {
    std::vector<LineMove> line;
    std::vector<Position> seen = {position};
    while (line.size() < max_plies) {
        const auto known = find(seen.back());
        if (!known) return Error{known.error()};
        if (!*known || (*known)->moves.empty()) break;
        const KnownMove& best = (*known)->best_move();
        const std::vector<CanonicalMove> moves = canonical_moves(rules(), seen.back());
        DEFIANCE_ASSERT(best.index < moves.size());
        const CanonicalMove& move = moves[best.index];
        line.push_back({best.index, move, best});
        if (std::find(seen.begin(), seen.end(), move.after) != seen.end()) break;
        seen.push_back(move.after);
    }
    return line;
}

}  // namespace defiance
