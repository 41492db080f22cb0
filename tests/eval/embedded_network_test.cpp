#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>

#include <defiance/eval/embedded_network.hpp>
#include <defiance/eval/mop_up.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>

#include "../every_game.hpp"
#include "../rules/random_position.hpp"

using namespace defiance;

// The first test: a program with a network that cannot be read ends when it needs the network.
TEMPLATE_TEST_CASE("the network file of every game can be read", "[network][games]",
                   DEFIANCE_EVERY_GAME) {
    const std::string word(rules_of<TestType>.file_word);
    const auto network =
        read_network_file(DEFIANCE_SOURCE_DIR "/src/eval/networks/" + word + ".net");
    const std::string error = network ? std::string() : network.error();
    INFO(error);
    REQUIRE(network);
}

TEMPLATE_TEST_CASE("every game has a network that knows what pieces are worth", "[network][games]",
                   DEFIANCE_EVERY_GAME) {
    const Network& network = embedded_network<TestType>();
    CHECK(network.parameters().game == TestType::name);
    CHECK_FALSE(network.parameters().description.empty());
    CHECK(serialize(network.parameters()).size() <= 300'000);
    Random random(151);
    int better = 0;
    int pieces = 0;
    for (int i = 0; i < 500; ++i) {
        const Position p = testing::random_position(random, 20);
        const Score score = network.evaluate(p);
        REQUIRE(std::abs(score) <= evaluation_limit);
        REQUIRE(score == network.evaluate(flipped(p)));
        if (count(p.own()) < 3) continue;
        for (const int square : Squares(p.own())) {
            const Bitboard piece = bit(square);
            const Position without = {p.black & ~piece, p.white & ~piece, p.kings & ~piece, p.side};
            ++pieces;
            if (network.evaluate(without) < score) ++better;
        }
    }
    // Some pieces stand so badly that they are better gone.
    CHECK(pieces > 1000);
    CHECK(better * 100 > pieces * 75);
}

TEST_CASE("the start position is level in every network", "[network]") {
    const auto start = [](const GameRules& rules) { return rules.start_position(); };
    CHECK(std::abs(embedded_network<English>().evaluate(start(rules_of<English>))) < 40);
    CHECK(std::abs(embedded_network<Italian>().evaluate(start(rules_of<Italian>))) < 40);
    CHECK(std::abs(embedded_network<Spanish>().evaluate(start(rules_of<Spanish>))) < 40);
    CHECK(std::abs(embedded_network<Russian>().evaluate(start(rules_of<Russian>))) < 40);
    CHECK(std::abs(embedded_network<Brazilian>().evaluate(start(rules_of<Brazilian>))) < 40);
    CHECK(std::abs(embedded_network<Czech>().evaluate(start(rules_of<Czech>))) < 40);
}

TEST_CASE("the mop-up evaluation draws a lead in kings towards the enemy's", "[network]") {
    const auto value = [](const char* fen) {
        const auto p = parse_fen(rules_of<English>, fen);
        REQUIRE(p);
        REQUIRE(mop_up(*p) == mop_up(flipped(*p)));
        return mop_up(*p);
    };
    CHECK(value("W:WK1,K2:BK30") > 0);
    CHECK(value("B:WK1,K2:BK30") == -value("W:WK1,K2:BK30"));
    CHECK(value("W:WK25,K26:BK30") > value("W:WK1,K2:BK30"));
    CHECK(value("W:WK1,K2,K3:BK30,K31") < value("W:WK1,K2:BK30"));
    CHECK(value("W:WK1,K2:BK30,K31") == 0);
    CHECK(value("W:W21,22:BK30") == 0);
    CHECK(value("W:WK1,K2:B5") == 0);
    CHECK(value("W:WK1,K2,21,22,23,24,25:BK30,K31") == 0);
}
