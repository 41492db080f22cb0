#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include <defiance/base/assert.hpp>

#include "slice_packer.hpp"

namespace defiance {
namespace {

using Counts = std::array<std::uint32_t, 3>;

constexpr double bits_of_question = 9;
constexpr double bits_of_leaf = 11;
// What a question must save beyond that, in bits of the examples, when they are only a sample: the
// best of many questions saves a few bits of a sample by chance.
constexpr double sampling_margin = 4;
constexpr int max_questions = 40;  // on the way to a leaf

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
    const double all = counts[0] + counts[1] + counts[2];
    double bits = 0;
    for (const std::uint32_t n : counts)
        if (n != 0) bits -= n * log2_of(n / all);
    return bits;
}

class TreeBuilder {
public:
    explicit TreeBuilder(double weight)
        : question_(bits_of_question / weight + (weight > 1 ? sampling_margin : 0)),
          leaf_(bits_of_leaf / weight + (weight > 1 ? sampling_margin : 0)) {}

    /// Adds the nodes for these examples; what they and the values take, in bits of an example.
    double build(std::span<Example> examples, int questions) {
        Counts all{};
        for (const Example& example : examples)
            ++all[static_cast<std::size_t>(example.value)];
        const double as_leaf = bits_of_values(all) + leaf_;
        const std::size_t at = nodes.size();
        if (questions < max_questions && as_leaf > question_ + 2 * leaf_ &&
            nodes.size() + 2 < DecisionTree::max_nodes) {
            const std::size_t leaves_before = leaves;
            if (const int feature = best_question(examples, all, as_leaf); feature >= 0) {
                const double as_question = split(examples, feature, questions);
                if (as_question < as_leaf) return as_question;
                nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(at), nodes.end());
                leaves = leaves_before;
            }
        }
        nodes.emplace_back(DecisionTree::leaf, leaves++);
        return as_leaf;
    }

    std::vector<DecisionTree::Node> nodes;
    std::size_t leaves = 0;

private:
    /// The feature that divides the examples best; -1 when none saves enough.
    int best_question(std::span<const Example> examples, const Counts& all, double as_leaf) {
        std::array<Counts, Features::number> with_feature{};
        for (const Example& example : examples) {
            const auto value = static_cast<std::size_t>(example.value);
            for (std::size_t word = 0; word < example.features.words.size(); ++word)
                for (std::uint64_t rest = example.features.words[word]; rest != 0; rest &= rest - 1)
                    ++with_feature[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))]
                                  [value];
        }
        double min_bits = as_leaf - question_ - leaf_;
        int best = -1;
        for (std::size_t feature = 0; feature < with_feature.size(); ++feature) {
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
        const std::size_t at = nodes.size();
        nodes.emplace_back(static_cast<std::uint32_t>(feature), 0);
        const auto middle = std::partition(examples.begin(), examples.end(), [&](const Example& e) {
            return !e.features.has(static_cast<std::size_t>(feature));
        });
        DEFIANCE_ASSERT(middle != examples.begin() && middle != examples.end());
        const auto no = static_cast<std::size_t>(middle - examples.begin());
        double bits = question_ + build(examples.first(no), questions + 1);
        nodes[at].set_target(nodes.size());
        bits += build(examples.subspan(no), questions + 1);
        return bits;
    }

    double question_;
    double leaf_;
};

}  // namespace

BuiltTree build_tree(std::vector<Example>& examples, double weight) {
    TreeBuilder builder(weight);
    const double bits = builder.build(examples, 0) * weight;
    return {DecisionTree(std::move(builder.nodes), builder.leaves), bits};
}

}  // namespace defiance
