#include <catch2/catch.hpp>

#include <defiance/egdb/material.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>

#include "../rules/random_position.hpp"
#include "egdb/codec/position_features.hpp"

using namespace defiance;

namespace {

/// How many features of a kind hold; they are the first ones.
int level(const PositionFeatures& features, std::size_t kind, std::size_t features_of_kind) {
    int set = 0;
    for (std::size_t i = 0; i < features_of_kind; ++i)
        set += features.has(kind + i) ? 1 : 0;
    for (int i = 0; i < set; ++i)
        CHECK(features.has(kind + static_cast<std::size_t>(i)));
    return set;
}

template <class Rules>
PositionFeatures features_in(const char* fen) {
    const auto p = parse_fen(rules_of<Rules>, fen);
    REQUIRE(p);
    return features_of<Rules>(with_black_to_move(*p));
}

}  // namespace

TEST_CASE("features tell where the pieces stand", "[egdb]") {
    const Position p = {0x00000101, 0x80010000, 0x00010100, Side::black};
    const PositionFeatures features = features_of<English>(p);
    for (std::size_t square = 0; square < 32; ++square) {
        CHECK(features.has(PositionFeatures::own_men + square) == (square == 0));
        CHECK(features.has(PositionFeatures::own_kings + square) == (square == 8));
        CHECK(features.has(PositionFeatures::their_men + square) == (square == 31));
        CHECK(features.has(PositionFeatures::their_kings + square) == (square == 16));
    }
}

TEST_CASE("features count steps and those that are safe", "[egdb]") {
    // Each king has four steps; on 17 and 18, between the two, the other one would take it.
    const PositionFeatures features = features_in<English>("B:BK14:WK22");
    CHECK(level(features, PositionFeatures::own_steps, 8) == 4);
    CHECK(level(features, PositionFeatures::their_steps, 8) == 4);
    CHECK(level(features, PositionFeatures::own_safe, 8) == 2);
    CHECK(level(features, PositionFeatures::their_safe, 8) == 2);
    // A man threatens only forwards.
    const PositionFeatures man = features_in<English>("B:BK23:W14");
    CHECK(level(man, PositionFeatures::own_steps, 8) == 4);
    CHECK(level(man, PositionFeatures::own_safe, 8) == 4);
    // Those of Russian draughts take backwards, too: on 18 the king would be taken.
    const PositionFeatures russian = features_in<Russian>("B:BK23:W14");
    CHECK(level(russian, PositionFeatures::own_steps, 8) == 4);
    CHECK(level(russian, PositionFeatures::own_safe, 8) == 3);
}

TEST_CASE("features count rows and the edge", "[egdb]") {
    const PositionFeatures features = features_in<English>("B:B1,12,25:W32,21");
    // Rows 0, 2 and 6 for black; 0 and 2 for white.
    CHECK(level(features, PositionFeatures::own_advance, 16) == 7);
    CHECK(level(features, PositionFeatures::their_advance, 16) == 1);
    CHECK(level(features, PositionFeatures::own_on_edge, 3) == 2);
    CHECK(level(features, PositionFeatures::their_on_edge, 3) == 2);
    CHECK_FALSE(features.has(PositionFeatures::odd));
    CHECK(features_in<English>("B:B5,12,25:W32,21").has(PositionFeatures::odd));
}

TEST_CASE("features know the main road", "[egdb]") {
    CHECK(features_in<Russian>("B:BKa1:WKc1").has(PositionFeatures::own_on_main_road));
    CHECK_FALSE(features_in<Russian>("B:BKa1:WKc1").has(PositionFeatures::their_on_main_road));
    CHECK(features_in<Russian>("B:BKa3:WKh8").has(PositionFeatures::their_on_main_road));
    CHECK_FALSE(features_in<Russian>("B:Ba1:WKc1").has(PositionFeatures::own_on_main_road));
}
