#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include <defiance/egdb/decision_tree.hpp>
#include <defiance/egdb/tree_growth.hpp>

using namespace defiance;

namespace {

using Node = DecisionTree::Node;

Clues any_clues(std::mt19937_64& random) {
    return {{random(), random(), random()}};
}

Clues with_clue(std::size_t clue) {
    Clues clues;
    clues.words[clue / 64] |= std::uint64_t{1} << (clue % 64);
    return clues;
}

/// Grows a tree at random; `size` is about how many questions it has.
void add_nodes(std::mt19937_64& random, std::size_t size, std::vector<Node>& nodes,
               std::size_t& leaves) {
    if (size == 0) {
        nodes.emplace_back(DecisionTree::leaf, leaves++);
        return;
    }
    const std::size_t at = nodes.size();
    const auto left = static_cast<std::size_t>(random() % size);
    nodes.emplace_back(static_cast<std::uint32_t>(random() % Clues::number), 0);
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
        tree.expect(leaf, {static_cast<int>(random() % Expectation::orders),
                           static_cast<int>(random() % Expectation::first_levels),
                           static_cast<int>(random() % Expectation::second_levels)});
    return tree;
}

bool are_same(const Expectation& a, const Expectation& b) {
    return a.order() == b.order() && a.first_level() == b.first_level() &&
           (a.first_level() == 0 || a.second_level() == b.second_level());
}

std::uint64_t differences(std::mt19937_64& random, const DecisionTree& a, const DecisionTree& b) {
    std::uint64_t found = 0;
    for (int i = 0; i < 100; ++i) {
        const Clues clues = any_clues(random);
        const std::size_t leaf = a.leaf_for(clues);
        if (b.leaf_for(clues) != leaf || !are_same(a.expectation(leaf), b.expectation(leaf)))
            ++found;
    }
    return found;
}

std::vector<std::uint8_t> coded(const Expectation& expectation, Value value, int times = 1) {
    RangeEncoder encoder;
    for (int i = 0; i < times; ++i)
        expectation.encode(value, encoder);
    return encoder.take();
}

}  // namespace

TEST_CASE("a decision tree asks its questions one after the other", "[egdb]") {
    // Is clue 70 there? If not: is 3 there?
    const std::vector<Node> nodes = {
        {70, 4}, {3, 3}, {DecisionTree::leaf, 0}, {DecisionTree::leaf, 1}, {DecisionTree::leaf, 2}};
    DecisionTree tree(nodes, 3);
    CHECK(tree.leaves() == 3);
    CHECK(tree.leaf_for(Clues{}) == 0);
    CHECK(tree.leaf_for(with_clue(3)) == 1);
    CHECK(tree.leaf_for(with_clue(70)) == 2);
    CHECK(tree.leaf_for(with_clue(191)) == 0);
    CHECK(DecisionTree().leaf_for(with_clue(3)) == 0);
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
            const std::size_t leaf = tree.leaf_for(any_clues(random));
            if (leaf >= tree.leaves()) ++faults;
            RangeDecoder decoder(bytes);
            if (tree.expectation(leaf).decode(decoder) > Value::loss) ++faults;
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
    // A question for clue 192, which there is not, is refused, one for clue 191 is not. Leaves
    // follow: ones, an order of 3, ones.
    const auto question = [](unsigned clue) {
        std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(clue << 1),
                                           static_cast<std::uint8_t>(clue >> 7)};
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

TEST_CASE("an expectation can name every value that was counted", "[egdb]") {
    std::mt19937_64 random(3);
    for (int round = 0; round < 3000; ++round) {
        std::array<std::uint64_t, 3> counts{};
        for (std::uint64_t& n : counts)
            n = random() % 3 == 0 ? 0 : random() >> (24 + random() % 40);
        const Expectation expectation = Expectation::of_counts(counts);
        const Expectation again(expectation.order(), expectation.first_level(),
                                expectation.second_level());
        for (std::size_t i = 0; i < 3; ++i) {
            const auto value = static_cast<Value>(i);
            if (counts[i] == 0) continue;
            const std::vector<std::uint8_t> bytes = coded(expectation, value, 5);
            RangeDecoder decoder(bytes);
            for (int k = 0; k < 5; ++k)
                if (again.decode(decoder) != value) FAIL("lost " << i << " in round " << round);
        }
    }
}

TEST_CASE("an expectation makes the frequent values short", "[egdb]") {
    // Nothing to code where all have the same value.
    const Expectation wins = Expectation::of_counts({0, 7, 0});
    CHECK(wins.first_level() == 0);
    CHECK(coded(wins, Value::win, 1000).empty());
    RangeDecoder nothing({});
    CHECK(wins.decode(nothing) == Value::win);

    std::array<std::uint64_t, 3> counts = {10, 200, 4000};
    const auto size = [](const Expectation& expectation, Value value, Value frequent) {
        RangeEncoder encoder;
        for (int i = 0; i < 20'000; ++i)
            expectation.encode(value, encoder);
        // Set bits at the end would be cut off, however improbable.
        expectation.encode(frequent, encoder);
        return encoder.take().size();
    };
    do {
        const Expectation expectation = Expectation::of_counts(counts);
        std::array<Value, 3> values = {Value::draw, Value::win, Value::loss};
        std::sort(values.begin(), values.end(), [&](Value a, Value b) {
            return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
        });
        CHECK(size(expectation, values[0], values[0]) < size(expectation, values[1], values[0]));
        CHECK(size(expectation, values[1], values[0]) < size(expectation, values[2], values[0]));
    } while (std::next_permutation(counts.begin(), counts.end()));

    // The rarer the other values the less the frequent one takes.
    const auto draws = [&](std::uint64_t frequent) {
        return size(Expectation::of_counts({frequent, 1, 0}), Value::draw, Value::draw);
    };
    CHECK(draws(100'000) < draws(1000));
    CHECK(draws(1000) < draws(10));
}

TEST_CASE("a tree grows along the clues that decide", "[egdb]") {
    std::mt19937_64 random(4);
    // A position with clue 130 is lost, one without it but with clue 40 is won, others are drawn.
    const auto value_of = [](const Clues& clues) {
        return clues.has(130) ? Value::loss : clues.has(40) ? Value::win : Value::draw;
    };
    std::vector<Example> examples(3000);
    for (Example& example : examples) {
        example.clues = any_clues(random);
        example.value = value_of(example.clues);
    }
    std::vector<Example> shuffled = examples;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    GrownTree grown = grow_tree(examples, 10);
    CHECK(grown.tree.leaves() == 3);
    CHECK(grown.bits > 0);
    std::array<std::size_t, 3> leaves = {grown.tree.leaf_for(Clues{}),
                                         grown.tree.leaf_for(with_clue(40)),
                                         grown.tree.leaf_for(with_clue(130))};
    std::uint64_t faults = 0;
    for (int i = 0; i < 1000; ++i) {
        const Clues clues = any_clues(random);
        if (grown.tree.leaf_for(clues) != leaves[static_cast<std::size_t>(value_of(clues))])
            ++faults;
    }
    CHECK(faults == 0);
    // In whatever order the examples come it is the same tree.
    const GrownTree other = grow_tree(shuffled, 10);
    CHECK(other.tree.packed() == grown.tree.packed());
    CHECK(other.bits == grown.bits);
}

TEST_CASE("no question is asked that does not pay", "[egdb]") {
    std::mt19937_64 random(5);
    std::vector<Example> none;
    CHECK(grow_tree(none, 1).tree.leaves() == 1);
    std::vector<Example> examples(2000);
    for (Example& example : examples)
        example = {any_clues(random), Value::loss};
    const double bits_of_one = grow_tree(examples, 1).bits;
    CHECK(grow_tree(examples, 1).tree.leaves() == 1);
    CHECK(bits_of_one < 20);
    // Chance has no reason.
    for (Example& example : examples)
        example.value = static_cast<Value>(random() % 3);
    const GrownTree by_chance = grow_tree(examples, 4);
    CHECK(by_chance.tree.leaves() < 20);
    CHECK(by_chance.bits > 4 * 2000 * 1.4);
    CHECK(by_chance.bits < 4 * 2000 * 1.6);
}
