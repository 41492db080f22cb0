// What positions are worth from which kings can go round for ever.

#include "dump_fixture.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/bulk_addition.hpp>
#include <tools/posdb/king_cycles.hpp>
#include <tools/posdb/position_view.hpp>

#include "store_contract.hpp"
#include "wrapped_store.hpp"

namespace defiance {
namespace {

constexpr std::size_t outside = CyclePosition::outside;

int random_score(Random& random) {
    return static_cast<int>(random.below(9)) - 4;
}

std::vector<CyclePosition> random_cycle(Random& random) {
    std::vector<CyclePosition> cycle(1 + random.below(12));
    for (CyclePosition& position : cycle) {
        const std::size_t moves = 1 + random.below(4);
        for (std::size_t i = 0; i < moves; ++i) {
            position.moves.push_back(
                {static_cast<std::uint8_t>(i), static_cast<std::int16_t>(random_score(random)),
                 static_cast<std::uint8_t>(1 + random.below(20)), ScoreSource::search});
            position.to.push_back(random.below(3) == 0 ? outside : random.below(cycle.size()));
        }
    }
    return cycle;
}

/// Whether the mover of each position can force at least `least`, more than 0, and whether he
/// cannot keep his opponent from it: by the definition, step by step.
struct Forced {
    std::vector<bool> wins;
    std::vector<bool> loses;
};
Forced forced(const std::vector<CyclePosition>& cycle, int least) {
    Forced f{std::vector<bool>(cycle.size()), std::vector<bool>(cycle.size())};
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (std::size_t at = 0; at < cycle.size(); ++at) {
            bool wins = false;
            bool loses = true;
            for (std::size_t i = 0; i < cycle[at].moves.size(); ++i) {
                const std::size_t to = cycle[at].to[i];
                const int score = cycle[at].moves[i].score;
                wins |= to == outside ? score >= least : f.loses[to];
                loses &= to == outside ? score <= -least : f.wins[to];
            }
            is_changed |= wins != f.wins[at] || loses != f.loses[at];
            f.wins[at] = wins;
            f.loses[at] = loses;
        }
    }
    return f;
}

std::vector<int> plain_values(const std::vector<CyclePosition>& cycle, int most) {
    std::vector<int> values(cycle.size());
    for (int least = 1; least <= most; ++least) {
        const Forced f = forced(cycle, least);
        for (std::size_t at = 0; at < cycle.size(); ++at)
            if (f.wins[at] || f.loses[at]) values[at] = f.wins[at] ? least : -least;
    }
    return values;
}

/// Whether best moves lead out of the cycle, or draw.
bool leads_out(const std::vector<CyclePosition>& cycle, std::size_t at) {
    if (best_move_of(cycle[at].moves).score == 0) return true;
    for (std::size_t step = 0; step <= cycle.size(); ++step) {
        at = cycle[at].to[best_move_of(cycle[at].moves).index];
        if (at == outside) return true;
    }
    return false;
}

constexpr std::array<const char*, 3> king_endings = {"B:WK32,K31:BK1,K14", "W:WK9,K18,K28:BK23,K7",
                                                     "B:WK30,20:BK1,K6"};

/// All positions that few moves lead to, as they are stored: with black to move.
std::vector<Position> positions_around(const GameRules& rules, const Position& root, int plies) {
    std::vector<Position> all = {with_black_to_move(root)};
    std::size_t begin = 0;
    for (int ply = 0; ply < plies; ++ply) {
        const std::size_t end = all.size();
        for (; begin < end; ++begin)
            for (const CanonicalMove& move : canonical_moves(rules, all[begin])) {
                const Position after = with_black_to_move(move.after);
                if (rules.count_moves(after) > 0 &&
                    std::find(all.begin(), all.end(), after) == all.end())
                    all.push_back(after);
            }
    }
    return all;
}

/// All positions as one cycle, with the scores that they are given.
std::vector<CyclePosition> as_cycle(const GameRules& rules,
                                    const std::vector<Position>& positions) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < positions.size(); ++i)
        places[to_fen(rules, positions[i])] = i;
    std::vector<CyclePosition> cycle;
    for (const Position& position : positions) {
        CyclePosition& added = cycle.emplace_back();
        added.moves = made_up_scores(rules, position, 1, 10);
        for (const CanonicalMove& move : canonical_moves(rules, position)) {
            const auto found = places.find(to_fen(rules, with_black_to_move(move.after)));
            added.to.push_back(found == places.end() ? outside : found->second);
        }
    }
    return cycle;
}

/// A database of positions that were added in the given order.
struct Filled {
    Filled(const GameCore& core, const std::vector<Position>& order)
        : database(core, *fixture.store, nullptr) {
        for (const Position& position : order)
            REQUIRE_FALSE(
                database.add(position, made_up_scores(core.rules, position, 1, 10), 255, {}));
    }
    void read_all(const std::vector<Position>& positions) {
        for (const Position& position : positions) {
            EgdbBudget budget;
            REQUIRE(look_up(database, position, EgdbMetric::end_of_game, budget));
        }
    }
    std::map<std::string, std::vector<int>> scores() {
        std::map<std::string, std::vector<int>> all;
        REQUIRE_FALSE(database.for_each([&](const Position& position, const KnownPosition& known) {
            std::vector<int>& row = all[to_fen(database.rules(), position)];
            for (const KnownMove& move : known.moves)
                row.push_back(move.score);
            return true;
        }));
        return all;
    }

    DumpFixture fixture;
    PositionDatabase database;
};

/// A store that counts what is read.
class CountingStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    std::size_t reads = 0;

    Result<std::optional<StoredValue>> get(StoreGame game, const PositionKey& key) override {
        ++reads;
        return WrappedStore::get(game, key);
    }
    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override {
        ++reads;
        return WrappedStore::get_many(game, keys);
    }
};

}  // namespace

TEST_CASE("cycles have the values that can be forced", "[posdb]") {
    Random random(1);
    for (int trial = 0; trial < 3000; ++trial) {
        INFO(trial);
        std::vector<CyclePosition> cycle = random_cycle(random);
        const std::vector<int> values = plain_values(cycle, 4);
        // Neither what stood there counts, nor that it was settled before.
        for (int time = 0; time < 2; ++time) {
            for (CyclePosition& position : cycle)
                for (std::size_t i = 0; i < position.moves.size(); ++i)
                    if (position.to[i] != outside)
                        position.moves[i].score = static_cast<std::int16_t>(random_score(random));
            settle_cycle(cycle);
            for (std::size_t at = 0; at < cycle.size(); ++at) {
                CHECK(best_move_of(cycle[at].moves).score == values[at]);
                CHECK(leads_out(cycle, at));
            }
        }
    }
}

TEST_CASE("scores where kings go round do not depend on the order of addition", "[posdb]") {
    for (const char* game : {"english", "russian"}) {
        const GameCore& core = *find_game(game);
        for (const char* text : king_endings) {
            INFO(game << ' ' << text);
            const auto root = parse_board(core.rules, text);
            REQUIRE(root);
            std::vector<Position> order = positions_around(core.rules, *root, 3);
            order.resize(std::min<std::size_t>(order.size(), 150));
            Filled first(core, order);
            Random random(7);
            for (std::size_t i = order.size(); i > 1; --i)
                std::swap(order[i - 1], order[random.below(i)]);
            Filled second(core, order);
            first.read_all(order);
            second.read_all(order);
            const auto scores = first.scores();
            CHECK(scores == second.scores());
            first.read_all(order);
            CHECK(scores == first.scores());
        }
    }
}

TEST_CASE("positions have the values that can be forced, and no best line goes round", "[posdb]") {
    for (const char* game : {"english", "russian"}) {
        const GameCore& core = *find_game(game);
        for (const char* text : king_endings) {
            INFO(game << ' ' << text);
            const auto root = parse_board(core.rules, text);
            REQUIRE(root);
            std::vector<Position> order = positions_around(core.rules, *root, 4);
            order.resize(std::min<std::size_t>(order.size(), 250));
            Filled filled(core, order);
            filled.read_all(order);
            const std::vector<int> values = plain_values(as_cycle(core.rules, order), 50);
            for (std::size_t i = 0; i < order.size(); ++i) {
                CHECK(value_of(filled.database.find(order[i]))->best() == values[i]);
                CHECK_FALSE(value_of(filled.database.break_cycle(order[i])));
            }
        }
    }
}

TEST_CASE("a dump of positions where kings go round is loaded as it is", "[posdb][dump]") {
    const GameCore& core = *find_game("english");
    for (const char* text : king_endings) {
        INFO(text);
        const auto root = parse_board(core.rules, text);
        REQUIRE(root);
        Filled filled(core, positions_around(core.rules, *root, 3));
        const std::string dump = filled.fixture.dump();
        DumpFixture other;
        CHECK(other.load(dump).faults.empty());
        const std::string again = other.dump();
        DumpFixture third;
        CHECK(third.load(again).faults.empty());
        CHECK(third.dump() == again);
        CHECK(third.load(again).changed == 0);
        CHECK(third.dump() == again);
    }
}

TEST_CASE("the work for scores that rest on each other has a limit", "[posdb][dump]") {
    const GameCore& core = *find_game("english");
    const auto root = parse_board(core.rules, "B:WK32,K31:BK1,K14");
    REQUIRE(root);
    // All in one cycle, of more positions than are settled together.
    std::vector<Position> order = positions_around(core.rules, *root, 6);
    order.resize(std::min<std::size_t>(order.size(), 1500));
    REQUIRE(order.size() == 1500);
    DumpFixture fixture;
    CountingStore store(*fixture.store);
    BulkAddition addition(core, store);
    for (const Position& position : order)
        REQUIRE_FALSE(addition.add(key_of_board(position),
                                   {255, made_up_scores(core.rules, position, 1, 10), {}}));
    store.reads = 0;
    REQUIRE(value_of(addition.finish([](std::size_t) { return true; })));
    INFO("finish " << store.reads);
    CHECK(store.reads < 100 * order.size());
    PositionDatabase database(core, store, nullptr);
    std::size_t most_of_read = 0;
    std::size_t most_of_write = 0;
    for (std::size_t i = 0; i < order.size(); i += 50) {
        store.reads = 0;
        EgdbBudget budget;
        REQUIRE(look_up(database, order[i], EgdbMetric::end_of_game, budget));
        most_of_read = std::max(most_of_read, store.reads);
        store.reads = 0;
        REQUIRE_FALSE(database.add(order[i], made_up_scores(core.rules, order[i], 2, 11), 255, {}));
        most_of_write = std::max(most_of_write, store.reads);
    }
    INFO("read " << most_of_read << ", write " << most_of_write);
    CHECK(most_of_read < 2000);
    CHECK(most_of_write < 10000);
}

}  // namespace defiance
