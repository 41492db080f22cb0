#include <cstdint>

#include <catch2/catch.hpp>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/search.hpp>

#include "../rules/random_position.hpp"
#include "search_support.hpp"

using namespace defiance;
using testing::KeepingObserver;
using testing::position_of;
using testing::search;

TEST_CASE("all scores gives every root move a true score, best first", "[search][english]") {
    KeepingObserver observer;
    SearchLimits limits;
    limits.depth = 7;
    limits.all_scores = true;
    const SearchResult result = search(start_position(Side::black), limits, observer);
    REQUIRE(observer.moves.size() == 7);
    for (std::size_t i = 0; i < observer.moves.size(); ++i) {
        CHECK(observer.moves[i].score > -score_win);
        if (i > 0) CHECK(observer.moves[i].score <= observer.moves[i - 1].score);
    }
    CHECK(observer.moves.front().move == *result.move);
    CHECK(observer.moves.front().score == result.score);
}

TEST_CASE("all scores proves each root move by itself", "[search][english]") {
    Random random(8);
    int wins = 0;
    int losses = 0;
    for (int i = 0; i < 1'000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
        if (count(p.occupied()) > 7 || find_fault(p)) continue;
        KeepingObserver observer;
        SearchLimits limits;
        limits.depth = 8;
        limits.all_scores = true;
        static_cast<void>(search(p, limits, observer));
        for (const RootMove& move : observer.moves) {
            REQUIRE(move.line.front() == move.move);
            if (!is_proven(move.score) || plies_to_end(move.score) > 9) continue;
            INFO(to_fen(rules_of<English>, p) << " score " << move.score);
            const Position next = after<English>(p, move.move);
            const int plies = plies_to_end(move.score) - 1;
            if (is_proven_win(move.score)) {
                // No sooner either: it is no bound.
                REQUIRE(testing::loses_within<English>(next, plies));
                REQUIRE((plies < 2 || !testing::loses_within<English>(next, plies - 2)));
            } else {
                REQUIRE(testing::wins_within<English>(next, plies));
            }
            ++(is_proven_win(move.score) ? wins : losses);
        }
    }
    CHECK(wins > 30);
    CHECK(losses > 30);
}

TEST_CASE("all scores extends moves as the search for the best move does", "[search][english]") {
    KeepingObserver observer;
    SearchLimits limits;
    limits.depth = 1;
    const Position forced = position_of("B:W18,30,31:B1,2,14");
    const std::uint64_t nodes = search(forced, limits, observer).nodes;
    CHECK(nodes > 1);
    limits.all_scores = true;
    CHECK(search(forced, limits, observer).nodes == nodes);
}
