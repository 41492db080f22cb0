#include <cstdlib>

#include <catch2/catch.hpp>

#include <defiance/eval/evaluate.hpp>
#include <defiance/eval/pattern.hpp>
#include <defiance/eval/pattern_weights_english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>

#include "../rules/random_position.hpp"

using namespace defiance;

namespace {

Score value(const char* fen) {
    const auto position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return evaluate<English>(*position);
}

}  // namespace

TEST_CASE("the evaluation is the same seen from the other side of the table", "[eval][english]") {
    Random random(71);
    for (int i = 0; i < 20'000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
        REQUIRE(evaluate<English>(p) == evaluate<English>(flipped(p)));
    }
}

TEMPLATE_TEST_CASE("every game's evaluation is fair, exact in its window and accounted for",
                   "[eval][games]", Italian, Spanish, Russian, Brazilian, Czech) {
    Random random(74);
    for (int i = 0; i < 5'000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
        const Score score = evaluate<TestType>(p);
        REQUIRE(score == evaluate<TestType>(flipped(p)));
        const Score found = lazy_evaluate<TestType>(p, score - 100, score + 100);
        REQUIRE((found == score || std::abs(found - score) >= 100));
        REQUIRE(std::abs(score) <= evaluation_limit);
        Score sum = 0;
        const auto terms = explain_evaluation<TestType>(p);
        for (const EvaluationTerm& term : terms)
            sum += p.side == Side::black ? term.black - term.white : term.white - term.black;
        REQUIRE(std::abs(sum - score) <= 2 * static_cast<int>(terms.size()));
    }
    // A flying king is worth more than two men, one that hops less.
    const Bitboard king = bit(index_of({4, 4}));
    const Position p{bit(index_of({0, 0})) | bit(index_of({2, 0})), king, king, Side::white};
    CHECK((evaluate<TestType>(p) > 0) == TestType::flying_kings);
}

TEST_CASE("the trace of an evaluation adds up to it", "[eval][english]") {
    Random random(72);
    for (int i = 0; i < 5'000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
        Score sum = 0;
        const auto terms = explain_evaluation<English>(p);
        for (const EvaluationTerm& term : terms)
            sum += p.side == Side::black ? term.black - term.white : term.white - term.black;
        // Each of the two numbers of a term is rounded.
        REQUIRE(std::abs(sum - evaluate<English>(p)) <= 2 * static_cast<int>(terms.size()));
    }
}

TEST_CASE("within a window the evaluation is exact, outside it may be a bound", "[eval][english]") {
    Random random(73);
    int bounds = 0;
    int wrong = 0;
    for (int i = 0; i < 50'000; ++i) {
        const Position p = testing::random_play<English>(random);
        const Score exact = evaluate<English>(p);
        const Score alpha = exact - 400 + random.below(800);
        const Score beta = alpha + 1 + random.below(30);
        const Score found = lazy_evaluate<English>(p, alpha, beta);
        if (found == exact) continue;
        ++bounds;
        REQUIRE((found <= alpha || found >= beta));
        if ((found <= alpha) != (exact <= alpha) || (found >= beta) != (exact >= beta)) ++wrong;
    }
    INFO(wrong << " bounds of " << bounds << " are wrong");
    // Random play and random windows mislead it more often than a search does, where measurements
    // gave one in a thousand.
    CHECK(bounds > 25'000);
    CHECK(wrong < bounds / 20);
}

TEST_CASE("a man more is better, a king is worth more than a man", "[eval][english]") {
    CHECK(value("W:W21,22,25,29,30:B1,2,5,6") > 40);
    CHECK(value("B:W21,22,25,29,30:B1,2,5,6") < -40);
    CHECK(value("W:WK18,29:B1,5") > value("W:W18,29:B1,5"));
}

TEST_CASE("evaluations never look like proven wins", "[eval][english]") {
    CHECK(value("W:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:B13") <= evaluation_limit);
    CHECK(value("B:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:B13") >= -evaluation_limit);
}

TEST_CASE("a pattern number counts the squares of its region in threes", "[eval]") {
    CHECK(patterns_of(0, 0) == std::array<std::uint16_t, pattern_regions>{});
    for (std::size_t region = 0; region < pattern_regions; ++region) {
        const Bitboard squares = detail::region_squares[region];
        REQUIRE(count(squares) == 8);
        CHECK(patterns_of(squares, 0)[region] == (patterns_per_region - 1) / 2);
        CHECK(patterns_of(0, squares)[region] == patterns_per_region - 1);
        int digit = 1;
        for (int square : Squares(squares)) {
            CHECK(patterns_of(bit(square), 0)[region] == digit);
            CHECK(patterns_of(0, bit(square))[region] == 2 * digit);
            digit *= 3;
        }
    }
}

TEST_CASE("every pattern has its two characters of weight", "[eval][english]") {
    for (const std::string_view text : pattern_texts<English>)
        REQUIRE(text.size() == 2 * patterns_per_region);
    for (std::size_t i = 0; i < pattern_regions * patterns_per_region; ++i) {
        const Weight weight = pattern_weight<English>(i);
        REQUIRE(std::abs(weight.opening) <= 45);
        REQUIRE(std::abs(weight.ending) <= 45);
    }
}
