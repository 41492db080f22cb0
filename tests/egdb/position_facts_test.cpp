#include <catch2/catch.hpp>

#include <defiance/egdb/material.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>

#include "../rules/random_position.hpp"
#include "egdb/codec/position_facts.hpp"

using namespace defiance;

namespace {

/// How many facts of a kind hold; they are the first ones.
int level(const PositionFacts& facts, std::size_t kind, std::size_t facts_of_kind) {
    int set = 0;
    for (std::size_t i = 0; i < facts_of_kind; ++i)
        set += facts.has(kind + i) ? 1 : 0;
    for (int i = 0; i < set; ++i)
        CHECK(facts.has(kind + static_cast<std::size_t>(i)));
    return set;
}

template <class Rules>
PositionFacts facts_in(const char* fen) {
    const auto p = parse_fen(rules_of<Rules>, fen);
    REQUIRE(p);
    return facts_of<Rules>(with_black_to_move(*p));
}

}  // namespace

TEST_CASE("facts tell where the pieces stand", "[egdb]") {
    const Position p = {0x00000101, 0x80010000, 0x00010100, Side::black};
    const PositionFacts facts = facts_of<English>(p);
    for (std::size_t square = 0; square < 32; ++square) {
        CHECK(facts.has(PositionFacts::own_men + square) == (square == 0));
        CHECK(facts.has(PositionFacts::own_kings + square) == (square == 8));
        CHECK(facts.has(PositionFacts::their_men + square) == (square == 31));
        CHECK(facts.has(PositionFacts::their_kings + square) == (square == 16));
    }
}

TEST_CASE("facts count steps and those that are safe", "[egdb]") {
    // The king on 14 has four steps; on 17 and 18 the king on 22 would take it, as 13 or 15 behind
    // it is free... and 21 takes nothing backwards over the edge.
    const PositionFacts facts = facts_in<English>("B:BK14:WK22");
    CHECK(level(facts, PositionFacts::own_steps, 8) == 4);
    CHECK(level(facts, PositionFacts::their_steps, 8) == 4);
    CHECK(level(facts, PositionFacts::own_safe, 8) == 2);
    CHECK(level(facts, PositionFacts::their_safe, 8) == 2);
    // A man threatens only forwards.
    const PositionFacts man = facts_in<English>("B:BK23:W14");
    CHECK(level(man, PositionFacts::own_steps, 8) == 4);
    CHECK(level(man, PositionFacts::own_safe, 8) == 4);
    // Men of Russian draughts take backwards.
    const PositionFacts russian = facts_in<Russian>("B:BKc3:Wd6");
    CHECK(level(russian, PositionFacts::own_safe, 8) == 4);
}

TEST_CASE("facts count rows and the edge", "[egdb]") {
    const PositionFacts facts = facts_in<English>("B:B1,12,25:W32,21");
    // Rows 0, 2 and 6 for black; 0 and 2 for white.
    CHECK(level(facts, PositionFacts::own_advance, 16) == 7);
    CHECK(level(facts, PositionFacts::their_advance, 16) == 1);
    CHECK(level(facts, PositionFacts::own_on_edge, 3) == 2);
    CHECK(level(facts, PositionFacts::their_on_edge, 3) == 2);
    CHECK_FALSE(facts.has(PositionFacts::odd));
    CHECK(facts_in<English>("B:B5,12,25:W32,21").has(PositionFacts::odd));
}

TEST_CASE("facts know the main road", "[egdb]") {
    CHECK(facts_in<Russian>("B:BKa1:WKc1").has(PositionFacts::own_on_main_road));
    CHECK_FALSE(facts_in<Russian>("B:BKa1:WKc1").has(PositionFacts::their_on_main_road));
    CHECK(facts_in<Russian>("B:BKa3:WKh8").has(PositionFacts::their_on_main_road));
    CHECK_FALSE(facts_in<Russian>("B:Ba1:WKc1").has(PositionFacts::own_on_main_road));
}
