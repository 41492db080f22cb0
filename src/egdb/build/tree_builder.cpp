#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/little_endian.hpp>

#include "slice_packer.hpp"

namespace defiance {
namespace {

using Counts = std::array<std::uint32_t, 3>;

constexpr double bits_of_node = 8 * DecisionTree::node_bytes;
// What the values of a leaf take besides their entropy, for the ribbons.
constexpr double ribbon_share = 1.1;
// What a question must save beyond its bits, in bits of the examples, when they are only a sample:
// the best of many questions saves a few bits of a sample by chance.
constexpr double sampling_margin = 4;

/// The logarithm to the base 2, by the series of the inverse hyperbolic tangent. std::log2 may
/// differ in its last bit from machine to machine, which would change the tree.
double log2_of(double x) {
    constexpr double two_over_ln_2 = 2.8853900817779268;
    int exponent = 0;
    double part = std::frexp(x, &exponent);  // 0.5 to 1
    if (part < 0.70710678) {
        part *= 2;
        --exponent;
    }
    const double z = (part - 1) / (part + 1);
    const double square = z * z;
    double sum = 0;
    for (int n = 13; n >= 1; n -= 2)
        sum = sum * square + 1.0 / n;
    return exponent + two_over_ln_2 * z * sum;
}

/// What the values of so many positions take when nothing else is known of them.
double bits_of_values(const Counts& counts) {
    const double all = static_cast<double>(std::uint64_t{counts[0]} + counts[1] + counts[2]);
    double bits = 0;
    for (const std::uint32_t n : counts)
        if (n != 0) bits -= n * log2_of(n / all);
    return bits * ribbon_share;
}

class TreeBuilder {
public:
    explicit TreeBuilder(double weight)
        : weight_(weight), node_(bits_of_node / weight + (weight > 1 ? sampling_margin : 0)) {}

    /// Adds the nodes for these examples; what they and the values take, in bits of an example.
    double build(std::span<Example> examples, int questions) {
        Counts all{};
        for (const Example& example : examples)
            ++all[static_cast<std::size_t>(example.value)];
        const double as_leaf = bits_of_values(all) + node_;
        const std::size_t at = draft.nodes.size();
        if (questions < DecisionTree::max_questions && as_leaf > 3 * node_ &&
            at + 2 < max_nodes_ - static_cast<std::size_t>(questions)) {
            const std::size_t leaves_before = draft.leaves.size();
            if (const int feature = best_question(examples, all, as_leaf); feature >= 0) {
                const double as_question = split(examples, feature, questions);
                if (as_question < as_leaf) return as_question;
                draft.nodes.resize(at);
                draft.leaves.resize(leaves_before);
            }
        }
        add_leaf(all);
        return as_leaf;
    }

    TreeDraft draft;

private:
    /// The feature that divides the examples best; -1 when none saves enough.
    int best_question(std::span<const Example> examples, const Counts& all, double as_leaf) const {
        std::array<Counts, 64 * std::tuple_size_v<decltype(PositionFeatures::words)>>
            with_feature{};
        for (const Example& example : examples) {
            const auto value = static_cast<std::size_t>(example.value);
            for (std::size_t word = 0; word < example.features.words.size(); ++word)
                for (std::uint64_t rest = example.features.words[word]; rest != 0; rest &= rest - 1)
                    ++with_feature[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))]
                                  [value];
        }
        double min_bits = as_leaf - 2 * node_;
        int best = -1;
        for (std::size_t feature = 0; feature < PositionFeatures::number; ++feature) {
            const Counts& with = with_feature[feature];
            const Counts without = {all[0] - with[0], all[1] - with[1], all[2] - with[2]};
            const double bits = bits_of_values(with) + bits_of_values(without);
            if (bits >= min_bits) continue;
            min_bits = bits;
            best = static_cast<int>(feature);
        }
        return best;
    }

    double split(std::span<Example> examples, int feature, int questions) {
        const std::size_t at = draft.nodes.size();
        draft.nodes.push_back({static_cast<std::uint8_t>(feature), 0});
        const auto middle = std::partition(examples.begin(), examples.end(), [&](const Example& e) {
            return !e.features.has(static_cast<std::size_t>(feature));
        });
        DEFIANCE_ASSERT(middle != examples.begin() && middle != examples.end());
        const auto no = static_cast<std::size_t>(middle - examples.begin());
        double bits = node_ + build(examples.first(no), questions + 1);
        draft.nodes[at].target = draft.nodes.size();
        bits += build(examples.subspan(no), questions + 1);
        return bits;
    }

    void add_leaf(const Counts& counts) {
        draft.nodes.push_back({DecisionTree::leaf, draft.leaves.size()});
        ValueCounts& leaf = draft.leaves.emplace_back();
        for (std::size_t value = 0; value < counts.size(); ++value)
            leaf[value] = static_cast<std::uint64_t>(counts[value] * weight_);
    }

    static constexpr std::size_t max_nodes_ = DecisionTree::max_nodes;
    double weight_;
    double node_;
};

}  // namespace

TreeDraft build_tree(std::vector<Example>& examples, double weight) {
    TreeBuilder builder(weight);
    const double bits = builder.build(examples, 0) * weight;
    builder.draft.bits = bits;
    return std::move(builder.draft);
}

std::vector<std::uint8_t> TreeDraft::packed(std::span<const Guess> guesses) const {
    DEFIANCE_ASSERT(guesses.size() == leaves.size() && nodes.size() <= DecisionTree::max_nodes);
    std::vector<std::uint8_t> bytes;
    append_little_endian(bytes, static_cast<std::uint16_t>(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto [feature, target] = nodes[i];
        bytes.push_back(feature);
        append_little_endian(bytes, feature == DecisionTree::leaf
                                        ? std::uint16_t{guesses[target].byte()}
                                        : static_cast<std::uint16_t>(target - i));
    }
    DEFIANCE_ASSERT(DecisionTree::open(bytes).has_value());
    return bytes;
}

}  // namespace defiance
