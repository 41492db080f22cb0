#include <algorithm>

#include <catch2/catch.hpp>

#include <vector>

#include <defiance/rules/draws.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

#include "../every_game.hpp"
#include "../rules/random_position.hpp"
#include "search_support.hpp"

using namespace defiance;

namespace {

template <class Rules>
SearchResult search_to(const Position& p, int depth) {
    SearchObserver observer;
    TranspositionTable table(1);
    Search<Rules> searcher(table);
    SearchLimits limits;
    limits.depth = depth;
    return searcher.run({&p, 1}, limits, observer);
}

Position russian_position(const char* fen) {
    const auto position = parse_fen(rules_of<Russian>, fen);
    REQUIRE(position);
    return *position;
}

}  // namespace

TEMPLATE_TEST_CASE("proven scores hold against a plain proof in every game", "[search][games]",
                   DEFIANCE_GAMES_BUT_ENGLISH) {
    Random random(5);
    int proven = 0;
    for (int i = 0; i < 1'000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
        if (count(p.occupied()) > 6 || find_fault(p)) continue;
        const SearchResult result = search_to<TestType>(p, 6);
        if (!is_proven(result.score) || plies_to_end(result.score) > 6) continue;
        ++proven;
        const int plies = plies_to_end(result.score);
        INFO(to_fen(rules_of<TestType>, p) << " score " << result.score);
        if (is_proven_win(result.score))
            REQUIRE(testing::wins_within<TestType>(p, plies));
        else
            REQUIRE(testing::loses_within<TestType>(p, plies));
    }
    CHECK(proven > 20);
}

TEMPLATE_TEST_CASE("the principal variation is legal in every game", "[search][games]",
                   DEFIANCE_GAMES_BUT_ENGLISH) {
    Random random(6);
    for (int i = 0; i < 40; ++i) {
        Position p = testing::random_play<TestType>(random);
        MoveList moves;
        generate_moves<TestType>(p, moves);
        if (moves.empty()) continue;
        const SearchResult result = search_to<TestType>(p, 7);
        REQUIRE(result.move);
        REQUIRE(result.line.front() == *result.move);
        for (const Move& move : result.line) {
            moves.clear();
            generate_moves<TestType>(p, moves);
            REQUIRE(std::find(moves.begin(), moves.end(), move) != moves.end());
            p = after<TestType>(p, move);
        }
    }
}

TEST_CASE("Russian kings have few moves to win in", "[rules][russian]") {
    // 7.2.5: kings on both sides, 15 moves of each.
    CHECK(reversible_limit<Russian>(russian_position("W:WK29,K30:BK1,K12")) == 30);
    // 7.2.4: three kings against one that is not on the main road.
    CHECK(reversible_limit<Russian>(russian_position("W:WK30,K31,K32:BK1")) == 30);
    // So on the main road too, which the lone king may cross on its way: 7.2.7 counts from when it
    // came there.
    CHECK(reversible_limit<Russian>(russian_position("W:WK30,K31,K32:BK18")) == 30);
    // 7.2.8: two pieces against one.
    CHECK(reversible_limit<Russian>(russian_position("B:WK30,31:BK1")) == 10);
    // Without kings on both sides CheckerBoard's law is left.
    CHECK(reversible_limit<Russian>(russian_position("W:WK30,K31:B1,2")) == 79);
    CHECK(reversible_limit<Czech>(russian_position("W:WK30,K31,K32:BK1")) == 79);
    CHECK(reversible_limit<Brazilian>(russian_position("W:WK30,K31,K32:BK1")) == 40);
}

TEST_CASE("a lone king that keeps to the main road has drawn after five moves",
          "[rules][russian]") {
    const Position on_road = russian_position("W:WK30,K31,K32:BK29");
    const Position off_road = russian_position("W:WK30,K31,K32:BK1");
    std::vector<Position> history(10, on_road);
    CHECK_FALSE(main_road_is_held<Russian>(history));
    history.push_back(on_road);
    CHECK(main_road_is_held<Russian>(history));
    CHECK_FALSE(main_road_is_held<Czech>(history));
    // Only from when it came there.
    history[0] = off_road;
    CHECK_FALSE(main_road_is_held<Russian>(history));
    history.push_back(on_road);
    CHECK(main_road_is_held<Russian>(history));
    // Against four the road does not help.
    CHECK_FALSE(main_road_is_held<Russian>(
        std::vector<Position>(20, russian_position("W:WK27,K30,K31,K32:BK29"))));
}

TEST_CASE("a Russian game is drawn when the law says so, not sooner", "[rules][russian]") {
    Game game(rules_of<Russian>, russian_position("W:WK30,31:BK1"));
    const int limit = reversible_limit<Russian>(game.position());
    std::vector<Position> seen = {game.position()};
    // Kings alone move, to positions that are new and without captures.
    const auto is_wanted = [&](const Move& move) {
        const Position next = after<Russian>(game.position(), move);
        MoveList replies;
        generate_moves<Russian>(next, replies);
        return is_reversible(game.position(), move) && !replies.empty() &&
               !replies[0].is_capture() && std::find(seen.begin(), seen.end(), next) == seen.end();
    };
    for (int ply = 0; ply < limit; ++ply) {
        CAPTURE(ply);
        REQUIRE(game.state() == GameState::open);
        MoveList moves;
        generate_moves<Russian>(game.position(), moves);
        const Move* move = std::find_if(moves.begin(), moves.end(), is_wanted);
        REQUIRE(move != moves.end());
        game.play(*move);
        seen.push_back(game.position());
    }
    CHECK(game.state() == GameState::no_progress);
}
