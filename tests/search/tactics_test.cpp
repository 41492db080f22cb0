#include <string>

#include <catch2/catch.hpp>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/search.hpp>

using namespace defiance;

TEST_CASE("an ordinary search sees a shot that begins with two sacrifices", "[search][english]") {
    const auto p =
        parse_fen(rules_of<English>, "B:W24,23,22,21,K4,K3,K2,K1:B16,15,14,13,11,10,9,5");
    REQUIRE(p);
    TranspositionTable table(16);
    Search<English> searcher(table);
    SearchLimits limits;
    limits.depth = 19;
    limits.nodes = 600'000;
    SearchObserver observer;
    const SearchResult result = searcher.run({&*p, 1}, limits, observer);
    CHECK(result.score == score_win - 13);
}
