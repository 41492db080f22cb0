#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "egdb/build/slice_packer.hpp"
#include "egdb/codec/decision_tree.hpp"

using namespace defiance;

namespace {

using Node = DecisionTree::Node;

Features any_features(std::mt19937_64& random) {
    return {{random(), random(), random()}};
}

Features with_feature(std::size_t feature) {
    Features features;
    features.words[feature / 64] |= std::uint64_t{1} << (feature % 64);
    return features;
}

/// Builds a tree at random; `size` is about how many questions it has.
void add_nodes(std::mt19937_64& random, std::size_t size, std::vector<Node>& nodes,
               std::size_t& leaves) {
    if (size == 0) {
        nodes.emplace_back(DecisionTree::leaf, leaves++);
        return;
    }
    const std::size_t at = nodes.size();
    const auto left = static_cast<std::size_t>(random() % size);
    nodes.emplace_back(static_cast<std::uint32_t>(random() % Features::number), 0);
    add_nodes(random, left, nodes, leaves);
    nodes[at].set_target(nodes.size());
    add_nodes(random, size - 1 - left, nodes, leaves);
}

DecisionTree any_tree(std::mt19937_64& random, std::size_t size) {
    std::vector<Node> nodes;
    std::size_t leaves = 0;
    add_nodes(random, size, nodes, leaves);
    DecisionTree tree(nodes, leaves);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
        tree.set_model(leaf, {static_cast<int>(random() % SymbolModel::orders),
                              static_cast<int>(random() % SymbolModel::first_levels),
                              static_cast<int>(random() % SymbolModel::second_levels)});
    return tree;
}

bool are_same(const SymbolModel& a, const SymbolModel& b) {
    return a.order() == b.order() && a.first_level() == b.first_level() &&
           (a.first_level() == 0 || a.second_level() == b.second_level());
}

std::uint64_t differences(std::mt19937_64& random, const DecisionTree& a, const DecisionTree& b) {
    std::uint64_t found = 0;
    for (int i = 0; i < 100; ++i) {
        const Features features = any_features(random);
        const std::size_t leaf = a.leaf_for(features);
        if (b.leaf_for(features) != leaf || !are_same(a.model(leaf), b.model(leaf))) ++found;
    }
    return found;
}

std::vector<std::uint8_t> coded(const SymbolModel& model, Wld value, int times = 1) {
    RangeEncoder encoder;
    for (int i = 0; i < times; ++i)
        model.encode(value, encoder);
    return encoder.take();
}

}  // namespace

TEST_CASE("a decision tree asks its questions one after the other", "[egdb]") {
    // Is feature 70 there? If not: is 3 there?
    const std::vector<Node> nodes = {
        {70, 4}, {3, 3}, {DecisionTree::leaf, 0}, {DecisionTree::leaf, 1}, {DecisionTree::leaf, 2}};
    DecisionTree tree(nodes, 3);
    CHECK(tree.leaves() == 3);
    CHECK(tree.leaf_for(Features{}) == 0);
    CHECK(tree.leaf_for(with_feature(3)) == 1);
    CHECK(tree.leaf_for(with_feature(70)) == 2);
    CHECK(tree.leaf_for(with_feature(191)) == 0);
    CHECK(DecisionTree().leaf_for(with_feature(3)) == 0);
}

TEST_CASE("a packed decision tree is the same when it is unpacked", "[egdb]") {
    std::mt19937_64 random(1);
    for (std::size_t size = 0; size < 200; size += 1 + size / 8) {
        const DecisionTree tree = any_tree(random, size);
        std::vector<std::uint8_t> bytes = tree.packed();
        const std::size_t packed_size = bytes.size();
        bytes.push_back(170);  // what follows is not its own
        const auto unpacked = DecisionTree::unpack(bytes);
        REQUIRE(unpacked);
        CHECK(unpacked->bytes == packed_size);
        CHECK(unpacked->tree.leaves() == size + 1);
        CHECK(differences(random, tree, unpacked->tree) == 0);
        // Cut off anywhere it is none.
        for (std::size_t cut = 0; cut < packed_size; ++cut)
            if (DecisionTree::unpack(std::span(bytes).first(cut))) FAIL("cut off at " << cut);
    }
}

TEST_CASE("any bytes are a decision tree that can be asked, or none", "[egdb]") {
    std::mt19937_64 random(2);
    int trees = 0;
    std::uint64_t faults = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(random() % 60));
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(round % 2 == 0 ? random() : random() & random());
        const auto unpacked = DecisionTree::unpack(bytes);
        if (!unpacked) continue;
        ++trees;
        const DecisionTree& tree = unpacked->tree;
        if (unpacked->bytes > bytes.size() || tree.packed().size() != unpacked->bytes) ++faults;
        for (int i = 0; i < 10; ++i) {
            const std::size_t leaf = tree.leaf_for(any_features(random));
            if (leaf >= tree.leaves()) ++faults;
            RangeDecoder decoder(bytes);
            if (tree.model(leaf).decode(decoder) > Wld::loss) ++faults;
        }
    }
    CHECK(faults == 0);
    CHECK(trees > 1000);
}

TEST_CASE("what is no decision tree is refused", "[egdb]") {
    CHECK_FALSE(DecisionTree::unpack({}));
    // Questions without end: each is nine zero bits.
    CHECK_FALSE(DecisionTree::unpack(std::vector<std::uint8_t>(10'000)));
    CHECK_FALSE(DecisionTree::unpack(std::vector<std::uint8_t>(2'000'000)));
    // A question for feature 192, which there is not, is refused, one for feature 191 is not.
    // Leaves follow: ones, an order of 3, ones.
    const auto question = [](unsigned feature) {
        std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(feature << 1),
                                           static_cast<std::uint8_t>(feature >> 7)};
        std::uint64_t rest = 0;
        for (const std::uint64_t leaf : {0xFF7U, 0xFF7U})
            rest = rest << 12 | leaf;
        rest = rest << 1 | bytes[1];
        for (int i = 0; i < 5; ++i)
            bytes.push_back(static_cast<std::uint8_t>(rest >> (8 * i)));
        bytes.erase(bytes.begin() + 1);
        return bytes;
    };
    CHECK(DecisionTree::unpack(question(191)));
    CHECK_FALSE(DecisionTree::unpack(question(192)));
    // A leaf with an order that there is not.
    CHECK(DecisionTree::unpack(std::vector<std::uint8_t>{0b1011, 0}));
    CHECK_FALSE(DecisionTree::unpack(std::vector<std::uint8_t>{0b1101, 0}));
    CHECK_FALSE(DecisionTree::unpack(std::vector<std::uint8_t>{0b1111, 0}));
}

TEST_CASE("a model can name every value that was counted", "[egdb]") {
    std::mt19937_64 random(3);
    for (int round = 0; round < 3000; ++round) {
        std::array<std::uint64_t, 3> counts{};
        for (std::uint64_t& n : counts)
            n = random() % 3 == 0 ? 0 : random() >> (24 + random() % 40);
        const SymbolModel model = SymbolModel::of_counts(counts);
        const SymbolModel again(model.order(), model.first_level(), model.second_level());
        for (std::size_t i = 0; i < 3; ++i) {
            const auto value = static_cast<Wld>(i);
            if (counts[i] == 0) continue;
            const std::vector<std::uint8_t> bytes = coded(model, value, 5);
            RangeDecoder decoder(bytes);
            for (int k = 0; k < 5; ++k)
                if (again.decode(decoder) != value) FAIL("lost " << i << " in round " << round);
        }
    }
}

TEST_CASE("a model makes the frequent values short", "[egdb]") {
    // Nothing to code where all have the same value.
    const SymbolModel wins = SymbolModel::of_counts({0, 7, 0});
    CHECK(wins.first_level() == 0);
    CHECK(coded(wins, Wld::win, 1000).empty());
    RangeDecoder nothing({});
    CHECK(wins.decode(nothing) == Wld::win);

    std::array<std::uint64_t, 3> counts = {10, 200, 4000};
    const auto size = [](const SymbolModel& model, Wld value, Wld frequent) {
        RangeEncoder encoder;
        for (int i = 0; i < 20'000; ++i)
            model.encode(value, encoder);
        // Set bits at the end would be cut off, however improbable.
        model.encode(frequent, encoder);
        return encoder.take().size();
    };
    do {
        const SymbolModel model = SymbolModel::of_counts(counts);
        std::array<Wld, 3> values = {Wld::draw, Wld::win, Wld::loss};
        std::sort(values.begin(), values.end(), [&](Wld a, Wld b) {
            return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
        });
        CHECK(size(model, values[0], values[0]) < size(model, values[1], values[0]));
        CHECK(size(model, values[1], values[0]) < size(model, values[2], values[0]));
    } while (std::next_permutation(counts.begin(), counts.end()));

    // The rarer the other values the less the frequent one takes.
    const auto draws = [&](std::uint64_t frequent) {
        return size(SymbolModel::of_counts({frequent, 1, 0}), Wld::draw, Wld::draw);
    };
    CHECK(draws(100'000) < draws(1000));
    CHECK(draws(1000) < draws(10));
}

TEST_CASE("the levels of a model are the best there are", "[egdb]") {
    // The bits that the values take with a level, by the probabilities of the file format.
    const auto size_of = [](double set, double all, double probability) {
        return -set * std::log2(probability) - (all - set) * std::log2(1 - probability);
    };
    const auto probability_at = [](int level) { return std::exp2((level - 32) / 2.0); };
    std::mt19937_64 random(9);
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t set = 1 + random() % (1U << (1 + random() % 20));
        const std::uint64_t all = 2 * set + random() % (std::uint64_t{1} << (random() % 33));
        const int level = SymbolModel::of_counts({all - set, set, 0}).first_level();
        REQUIRE(level > 0);
        const auto size = [&](int at) {
            return size_of(static_cast<double>(set), static_cast<double>(all), probability_at(at));
        };
        // The lowest levels are rounded to whole 65536ths, the highest is cut off.
        if (level < 8 || level > 29) continue;
        for (int other = 8; other < 30; ++other)
            if (size(level) > size(other) * 1.001) FAIL(set << " of " << all << ": " << level);
    }
}

TEST_CASE("the levels of a model are the same on every machine", "[egdb]") {
    std::uint64_t hash = 0;
    std::uint64_t state = 7;
    const auto next = [&state](int bits) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return state >> (64 - bits);
    };
    for (int round = 0; round < 20'000; ++round) {
        std::array<std::uint64_t, 3> counts{};
        for (std::uint64_t& n : counts)
            n = next(1 + static_cast<int>(next(5)));
        const SymbolModel model = SymbolModel::of_counts(counts);
        const int number = (model.order() * 32 + model.first_level()) * 8 + model.second_level();
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29;
    }
    CHECK(hash == 0x2CCCBD9E81F4D924U);
}

TEST_CASE("a tree asks for the features that decide", "[egdb]") {
    std::mt19937_64 random(4);
    // A position with feature 130 is lost, one without it but with feature 40 is won, others are
    // drawn.
    const auto value_of = [](const Features& features) {
        return features.has(130) ? Wld::loss : features.has(40) ? Wld::win : Wld::draw;
    };
    std::vector<Example> examples(3000);
    for (Example& example : examples) {
        example.features = any_features(random);
        example.value = value_of(example.features);
    }
    std::vector<Example> shuffled = examples;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    BuiltTree built = build_tree(examples, 10);
    CHECK(built.tree.leaves() == 3);
    CHECK(built.bits > 0);
    std::array<std::size_t, 3> leaves = {built.tree.leaf_for(Features{}),
                                         built.tree.leaf_for(with_feature(40)),
                                         built.tree.leaf_for(with_feature(130))};
    std::uint64_t faults = 0;
    for (int i = 0; i < 1000; ++i) {
        const Features features = any_features(random);
        if (built.tree.leaf_for(features) != leaves[static_cast<std::size_t>(value_of(features))])
            ++faults;
    }
    CHECK(faults == 0);
    // In whatever order the examples come it is the same tree.
    const BuiltTree other = build_tree(shuffled, 10);
    CHECK(other.tree.packed() == built.tree.packed());
    CHECK(other.bits == built.bits);
}

TEST_CASE("no question is asked that does not pay", "[egdb]") {
    std::mt19937_64 random(5);
    std::vector<Example> none;
    CHECK(build_tree(none, 1).tree.leaves() == 1);
    std::vector<Example> examples(2000);
    for (Example& example : examples)
        example = {any_features(random), Wld::loss};
    const double bits_of_one = build_tree(examples, 1).bits;
    CHECK(build_tree(examples, 1).tree.leaves() == 1);
    CHECK(bits_of_one < 20);
    // Chance has no reason.
    for (Example& example : examples)
        example.value = static_cast<Wld>(random() % 3);
    const BuiltTree by_chance = build_tree(examples, 4);
    CHECK(by_chance.tree.leaves() < 20);
    CHECK(by_chance.bits > 4 * 2000 * 1.4);
    CHECK(by_chance.bits < 4 * 2000 * 1.6);
}
