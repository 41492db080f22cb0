#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <random>

#include "egdb/build/slice_packer.hpp"
#include "egdb/codec/decision_tree.hpp"

using namespace defiance;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// The bytes of leaves that guess each value and are sure.
const std::uint8_t sure_draw = Guess::of_counts({1, 0, 0}).byte();
const std::uint8_t sure_win = Guess::of_counts({0, 1, 0}).byte();
const std::uint8_t sure_loss = Guess::of_counts({0, 0, 1}).byte();

PositionFeatures any_features(std::mt19937_64& random) {
    return {{random(), random(), random(), random() & 0x1FF}};
}

PositionFeatures with_feature(std::size_t feature) {
    PositionFeatures features;
    features.words[feature / 64] |= std::uint64_t{1} << (feature % 64);
    return features;
}

}  // namespace

TEST_CASE("a decision tree asks its questions one after the other", "[egdb]") {
    // Is feature 70 there? If not: is 200 there?
    const Bytes bytes = {5,         0, 70,  4,         0, 200, 2,        0, 255,
                         sure_draw, 0, 255, sure_loss, 0, 255, sure_win, 0};
    const auto opened = DecisionTree::open(bytes);
    REQUIRE(opened);
    CHECK(opened->bytes == bytes.size());
    const DecisionTree& tree = opened->tree;
    CHECK(tree.guess({}).first() == Wld::draw);
    CHECK(tree.guess(with_feature(200)).first() == Wld::loss);
    CHECK(tree.guess(with_feature(70)).first() == Wld::win);
    CHECK(tree.guess(with_feature(71)).first() == Wld::draw);
}

TEST_CASE("bytes that are no decision tree are refused", "[egdb]") {
    const Bytes right = {3, 0, 70, 2, 0, 255, sure_draw, 0, 255, sure_win, 0};
    REQUIRE(DecisionTree::open(right));
    for (std::size_t size = 0; size < right.size(); ++size)
        CHECK_FALSE(DecisionTree::open(std::span(right).first(size)));
    const auto is_refused_with = [&](std::size_t at, std::uint8_t byte) {
        Bytes bytes = right;
        bytes[at] = byte;
        return !DecisionTree::open(bytes);
    };
    CHECK(is_refused_with(0, 0));
    CHECK(is_refused_with(2, PositionFeatures::number));
    CHECK_FALSE(is_refused_with(2, PositionFeatures::number - 1));
    // Ways that lead nowhere, back, outside.
    CHECK(is_refused_with(3, 0));
    CHECK(is_refused_with(3, 1));
    CHECK(is_refused_with(3, 3));
    CHECK(is_refused_with(4, 1));
    // The last node asks something; leaves with what is no guess, or more than that.
    CHECK(is_refused_with(8, 70));
    CHECK(is_refused_with(9, 6));
    CHECK(is_refused_with(9, 7));
    CHECK(is_refused_with(9, sure_win | 128));
    CHECK(is_refused_with(10, 1));
    // One question after the other, and no end to be seen.
    Bytes chain = {0, 0};
    const std::size_t questions = DecisionTree::max_questions + 1;
    for (std::size_t i = 0; i < questions; ++i)
        chain.insert(chain.end(), {1, static_cast<std::uint8_t>(questions - i + 1), 0});
    for (int i = 0; i < 2; ++i)
        chain.insert(chain.end(), {255, sure_win, 0});
    chain[0] = questions + 2;
    CHECK_FALSE(DecisionTree::open(chain));
    chain.erase(chain.begin() + 2, chain.begin() + 5);
    --chain[0];
    CHECK(DecisionTree::open(chain));
}

TEST_CASE("a guess is what is most frequent", "[egdb]") {
    std::array<std::uint64_t, 3> counts = {10, 200, 4000};
    do {
        const Guess guess = Guess::of_counts(counts);
        const auto of = [&](Wld value) { return counts[static_cast<std::size_t>(value)]; };
        CHECK(of(guess.first()) == 4000);
        CHECK(of(guess.second()) == 200);
        CHECK(of(guess.third()) == 10);
        CHECK(guess.has_third());
        CHECK_FALSE(guess.is_sure());
        CHECK(guess.filter_bits() == 0);
    } while (std::next_permutation(counts.begin(), counts.end()));
    CHECK_FALSE(Guess::of_counts({5, 0, 2}).has_third());
    CHECK(Guess::of_counts({0, 0, 2}).is_sure());
    CHECK(Guess::of_counts({0, 0, 0}).is_sure());
}

TEST_CASE("a guess stays with its first value when all are counted", "[egdb]") {
    const Guess guess = Guess::of_counts({7, 2, 0}).with_filter(3);
    const Guess other = guess.for_counts({1, 9, 20});
    CHECK(other.first() == Wld::draw);
    CHECK(other.second() == Wld::loss);
    CHECK(other.has_third());
    CHECK(other.filter_bits() == 3);
    CHECK(guess.for_counts({1, 0, 0}).is_sure());
}

TEST_CASE("every byte is a guess or refused", "[egdb]") {
    int guesses = 0;
    for (int byte = 0; byte < 256; ++byte) {
        const auto guess = Guess::from_byte(static_cast<std::uint8_t>(byte));
        if (!guess) continue;
        ++guesses;
        CHECK(guess->byte() == byte);
        CHECK(guess->first() != guess->second());
        CHECK(guess->second() != guess->third());
    }
    CHECK(guesses == Guess::orders * (2 * (Guess::max_filter_bits + 1) + 1));
}

TEST_CASE("the bits of a filter are the best there are", "[egdb]") {
    CHECK(best_filter(1000, 1000).filter_bits == 0);
    CHECK(best_filter(1000, 1000).bits == 2000);
    std::mt19937_64 random(9);
    for (int round = 0; round < 1000; ++round) {
        const std::uint64_t wrong = 1 + random() % (1U << (1 + random() % 20));
        const std::uint64_t right = random() % (std::uint64_t{1} << (random() % 33));
        const FilterChoice best = best_filter(right, wrong);
        REQUIRE(best.filter_bits <= Guess::max_filter_bits);
        for (unsigned bits = 0; bits <= Guess::max_filter_bits; ++bits)
            if (wrong * (bits + 1) + (right >> bits) < best.bits)
                FAIL(right << " and " << wrong << ": " << bits);
    }
    // The rarer the wrong ones the longer the filter.
    CHECK(best_filter(100'000, 1).filter_bits > best_filter(100'000, 1000).filter_bits);
}

TEST_CASE("a tree asks for the features that decide", "[egdb]") {
    std::mt19937_64 random(4);
    // A position with feature 130 is lost, one without it but with 40 is won, others are drawn.
    const auto value_of = [](const PositionFeatures& features) {
        return features.has(130) ? Wld::loss : features.has(40) ? Wld::win : Wld::draw;
    };
    std::vector<Example> examples(3000);
    for (Example& example : examples) {
        example.features = any_features(random);
        example.value = value_of(example.features);
    }
    std::vector<Example> shuffled = examples;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const TreeDraft built = build_tree(examples, 10);
    REQUIRE(built.leaves.size() == 3);
    CHECK(built.bits > 0);
    std::vector<Guess> guesses;
    for (const ValueCounts& counts : built.leaves)
        guesses.push_back(Guess::of_counts(counts));
    const Bytes bytes = built.packed(guesses);
    const auto opened = DecisionTree::open(bytes);
    REQUIRE(opened);
    std::uint64_t faults = 0;
    for (int i = 0; i < 1000; ++i) {
        const PositionFeatures features = any_features(random);
        if (opened->tree.guess(features).first() != value_of(features)) ++faults;
        if (guesses[built.leaf_for(features)].first() != value_of(features)) ++faults;
    }
    CHECK(faults == 0);
    // In whatever order the examples come it is the same tree.
    const TreeDraft other = build_tree(shuffled, 10);
    CHECK(other.packed(guesses) == bytes);
    CHECK(other.bits == built.bits);
}

TEST_CASE("no question is asked that does not pay", "[egdb]") {
    std::mt19937_64 random(5);
    std::vector<Example> none;
    CHECK(build_tree(none, 1).leaves.size() == 1);
    std::vector<Example> examples(2000);
    for (Example& example : examples)
        example = {any_features(random), Wld::loss};
    CHECK(build_tree(examples, 1).leaves.size() == 1);
    CHECK(build_tree(examples, 1).bits < 30);
    // Chance has no reason.
    for (Example& example : examples)
        example.value = static_cast<Wld>(random() % 3);
    const TreeDraft by_chance = build_tree(examples, 4);
    CHECK(by_chance.leaves.size() < 20);
    CHECK(by_chance.bits > 4 * 2000 * 1.5);
    CHECK(by_chance.bits < 4 * 2000 * 1.8);
}
