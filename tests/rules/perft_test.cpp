#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>

#include <catch2/catch.hpp>

#include <string>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>

#include "../every_game.hpp"
#include "compare.hpp"
#include "perft_english.hpp"
#include "perft_games.hpp"

using namespace defiance;
using namespace defiance::testing;

namespace {

template <class Rules>
void check_counts(const PerftCase& expected) {
    INFO(std::string(Rules::name) + ' ' + std::string(expected.fen));
    const Result<Position> position = parse_fen(rules_of<Rules>, expected.fen);
    REQUIRE(position);
    int depth = 0;
    for (const std::uint64_t count : expected.counts) {
        ++depth;
        CHECK(perft<Rules>(*position, depth) == count);
        CHECK(perft<Rules>(flipped(*position), depth) == count);
    }
}

}  // namespace

TEST_CASE("the start position has the published number of move sequences", "[rules][english]") {
    check_counts<English>(perft_start);
}

TEST_CASE("positions with many kings have the known number of move sequences", "[rules][english]") {
    for (const PerftCase& expected : perft_kings)
        check_counts<English>(expected);
}

TEMPLATE_TEST_CASE("every game has the known number of move sequences", "[rules][games]",
                   DEFIANCE_GAMES_BUT_ENGLISH) {
    REQUIRE(perft_cases<TestType>.size() >= 5);
    for (const PerftCase& expected : perft_cases<TestType>)
        check_counts<TestType>(expected);
}

TEST_CASE("the reference generator counts the same sequences", "[rules][english]") {
    for (const PerftCase& expected : perft_kings) {
        INFO(std::string(expected.fen));
        const ReferenceBoard board = reference_of(*parse_fen(rules_of<English>, expected.fen));
        for (int depth = 1; depth <= 3; ++depth)
            CHECK(reference_perft(reference_game(21), board, depth) ==
                  expected.counts[static_cast<std::size_t>(depth) - 1]);
    }
}

TEST_CASE("depth 0 counts one sequence and a side that cannot move none", "[rules]") {
    const Position start = start_position(English::first_side);
    CHECK(perft<English>(start, 0) == 1);
    CHECK(perft<English>(start, -3) == 1);
    const Position bare = *parse_fen(rules_of<English>, "B:W5,K9:B");
    CHECK(perft<English>(bare, 0) == 1);
    CHECK(perft<English>(bare, 1) == 0);
    CHECK(perft<English>(bare, 5) == 0);
}
