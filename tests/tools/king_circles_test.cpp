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
#include <tools/posdb/king_circles.hpp>
#include <tools/posdb/position_view.hpp>

#include "store_contract.hpp"

namespace defiance {
namespace {

constexpr std::size_t outside = CirclePosition::outside;

int random_score(Random& random) {
    return static_cast<int>(random.below(9)) - 4;
}

std::vector<CirclePosition> random_circle(Random& random) {
    std::vector<CirclePosition> circle(1 + random.below(12));
    for (CirclePosition& position : circle) {
        const std::size_t moves = 1 + random.below(4);
        for (std::size_t i = 0; i < moves; ++i) {
            position.moves.push_back(
                {static_cast<std::uint8_t>(i), static_cast<std::int16_t>(random_score(random)),
                 static_cast<std::uint8_t>(1 + random.below(20)), ScoreSource::search});
            position.to.push_back(random.below(3) == 0 ? outside : random.below(circle.size()));
        }
    }
    return circle;
}

/// Whether the mover of each position can force at least `least`, more than 0, and whether he
/// cannot keep his opponent from it: by the definition, step by step.
struct Forced {
    std::vector<bool> wins;
    std::vector<bool> loses;
};
Forced forced(const std::vector<CirclePosition>& circle, int least) {
    Forced f{std::vector<bool>(circle.size()), std::vector<bool>(circle.size())};
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (std::size_t at = 0; at < circle.size(); ++at) {
            bool wins = false;
            bool loses = true;
            for (std::size_t i = 0; i < circle[at].moves.size(); ++i) {
                const std::size_t to = circle[at].to[i];
                const int score = circle[at].moves[i].score;
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

std::vector<int> plain_values(const std::vector<CirclePosition>& circle, int most) {
    std::vector<int> values(circle.size());
    for (int least = 1; least <= most; ++least) {
        const Forced f = forced(circle, least);
        for (std::size_t at = 0; at < circle.size(); ++at)
            if (f.wins[at] || f.loses[at]) values[at] = f.wins[at] ? least : -least;
    }
    return values;
}

/// Whether best moves lead out of the circle, or draw.
bool leads_out(const std::vector<CirclePosition>& circle, std::size_t at) {
    if (best_move_of(circle[at].moves).score == 0) return true;
    for (std::size_t step = 0; step <= circle.size(); ++step) {
        at = circle[at].to[best_move_of(circle[at].moves).index];
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

/// All positions as one circle, with the scores that they are given.
std::vector<CirclePosition> as_circle(const GameRules& rules,
                                      const std::vector<Position>& positions) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < positions.size(); ++i)
        places[to_fen(rules, positions[i])] = i;
    std::vector<CirclePosition> circle;
    for (const Position& position : positions) {
        CirclePosition& added = circle.emplace_back();
        added.moves = made_up_scores(rules, position, 1, 10);
        for (const CanonicalMove& move : canonical_moves(rules, position)) {
            const auto found = places.find(to_fen(rules, with_black_to_move(move.after)));
            added.to.push_back(found == places.end() ? outside : found->second);
        }
    }
    return circle;
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

}  // namespace

TEST_CASE("circles have the values that can be forced", "[posdb]") {
    Random random(1);
    for (int trial = 0; trial < 3000; ++trial) {
        INFO(trial);
        std::vector<CirclePosition> circle = random_circle(random);
        const std::vector<int> values = plain_values(circle, 4);
        // Neither what stood there counts, nor that it was settled before.
        for (int time = 0; time < 2; ++time) {
            for (CirclePosition& position : circle)
                for (std::size_t i = 0; i < position.moves.size(); ++i)
                    if (position.to[i] != outside)
                        position.moves[i].score = static_cast<std::int16_t>(random_score(random));
            settle_circle(circle);
            for (std::size_t at = 0; at < circle.size(); ++at) {
                CHECK(best_move_of(circle[at].moves).score == values[at]);
                CHECK(leads_out(circle, at));
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
            const std::vector<int> values = plain_values(as_circle(core.rules, order), 50);
            for (std::size_t i = 0; i < order.size(); ++i) {
                CHECK(value_of(filled.database.find(order[i]))->best() == values[i]);
                CHECK_FALSE(value_of(filled.database.break_circle(order[i])));
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

}  // namespace defiance
