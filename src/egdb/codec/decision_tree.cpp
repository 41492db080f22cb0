#include "decision_tree.hpp"

#include <algorithm>
#include <vector>

namespace defiance {

Guess Guess::of_counts(const ValueCounts& counts) {
    const auto count_of = [&](Wld value) { return counts[static_cast<std::size_t>(value)]; };
    std::size_t best = 0;
    for (std::size_t i = 1; i < orders; ++i) {
        const auto& a = all_orders[i];
        const auto& b = all_orders[best];
        if (count_of(a[0]) > count_of(b[0]) ||
            (count_of(a[0]) == count_of(b[0]) && count_of(a[1]) > count_of(b[1])))
            best = i;
    }
    const bool is_sure = count_of(all_orders[best][1]) == 0;
    const bool has_third = count_of(all_orders[best][2]) != 0;
    return Guess(
        static_cast<std::uint8_t>(best | (is_sure ? 15U << 3 : 0U) | (has_third ? 128U : 0U)));
}

Guess Guess::for_counts(const ValueCounts& counts) const {
    // The first value stays the first when nothing else is as frequent.
    ValueCounts with_first_most = counts;
    with_first_most[static_cast<std::size_t>(first())] =
        1 + *std::max_element(counts.begin(), counts.end());
    const Guess guess = of_counts(with_first_most);
    return guess.is_sure() ? guess : guess.with_filter(filter_bits());
}

FilterChoice best_filter(std::uint64_t right, std::uint64_t wrong) {
    // A wrong guess takes the bits of the filter and one more, as does a right one that the filter
    // lets pass, by chance.
    FilterChoice best = {0, right + wrong};
    for (int bits = 1; bits <= Guess::max_filter_bits; ++bits) {
        const std::uint64_t all = wrong * (static_cast<std::uint64_t>(bits) + 1) + (right >> bits);
        if (all < best.bits) best = {bits, all};
    }
    return best;
}

std::optional<DecisionTree::Opened> DecisionTree::open(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t head = 2;
    if (bytes.size() < head) return std::nullopt;
    const std::size_t nodes = load_little_endian<std::uint16_t>(bytes.data());
    const std::size_t size = head + node_bytes * nodes;
    if (nodes == 0 || bytes.size() < size) return std::nullopt;
    // The most questions before each node. Every way leads forward, so a node is reached from
    // those before it only, and a way that does not end inside is found.
    std::vector<std::uint8_t> questions(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::uint8_t* const node = bytes.data() + head + node_bytes * i;
        if (node[0] == leaf) {
            if (!Guess::from_byte(node[1]) || node[2] != 0) return std::nullopt;
            continue;
        }
        const std::size_t yes = i + load_little_endian<std::uint16_t>(node + 1);
        if (node[0] >= PositionFeatures::number || questions[i] == max_questions || yes <= i + 1 ||
            yes >= nodes)
            return std::nullopt;
        for (const std::size_t next : {i + 1, yes})
            questions[next] =
                std::max(questions[next], static_cast<std::uint8_t>(questions[i] + 1));
    }
    return Opened{DecisionTree(bytes.data() + head), size};
}

}  // namespace defiance
