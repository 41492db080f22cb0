#include "decision_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace defiance {
namespace {

constexpr std::array<std::array<Wld, 3>, SymbolModel::orders> all_orders = {{
    {Wld::draw, Wld::win, Wld::loss},
    {Wld::draw, Wld::loss, Wld::win},
    {Wld::win, Wld::draw, Wld::loss},
    {Wld::win, Wld::loss, Wld::draw},
    {Wld::loss, Wld::draw, Wld::win},
    {Wld::loss, Wld::win, Wld::draw},
}};

/// Probabilities that a file can name, evenly far apart as ratios: from 1 in 65536 on, by a factor
/// of about 1.41 and 2.3; as numbers, since all machines must have the same.
constexpr std::array<Probability, SymbolModel::first_levels> first_probabilities = {
    0,    1,    2,    3,    4,    6,     8,     11,    16,    23,   32,
    45,   64,   91,   128,  181,  256,   362,   512,   724,   1024, 1448,
    2048, 2896, 4096, 5793, 8192, 11585, 16384, 23170, 32768, 43691};
constexpr std::array<Probability, SymbolModel::second_levels> second_probabilities = {
    0, 256, 1024, 3072, 7168, 13312, 21504, 32768};

/// The level whose probability costs least for so many bits set among all.
template <std::size_t Size>
int best_level(const std::array<Probability, Size>& probabilities, std::uint64_t set,
               std::uint64_t all) {
    if (set == 0) return 0;
    int best = 1;
    double least = 0;
    for (std::size_t level = 1; level < Size; ++level) {
        const double p = probabilities[level] / 65536.0;
        const double cost = -static_cast<double>(set) * std::log2(p) -
                            static_cast<double>(all - set) * std::log2(1 - p);
        if (level > 1 && cost >= least) continue;
        best = static_cast<int>(level);
        least = cost;
    }
    return best;
}

class BitWriter {
public:
    void write(std::uint32_t number, int bits) {
        for (int i = 0; i < bits; ++i, ++written_) {
            if (written_ % 8 == 0) bytes.push_back(0);
            bytes.back() =
                static_cast<std::uint8_t>(bytes.back() | ((number >> i) & 1) << (written_ % 8));
        }
    }
    std::vector<std::uint8_t> bytes;

private:
    std::size_t written_ = 0;
};

class BitReader {
public:
    explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::uint32_t read(int bits) {
        std::uint32_t number = 0;
        for (int i = 0; i < bits; ++i, ++read_)
            if (read_ / 8 < bytes_.size())
                number |= static_cast<std::uint32_t>(bytes_[read_ / 8] >> (read_ % 8) & 1) << i;
        return number;
    }
    [[nodiscard]] bool is_past_end() const { return bytes_read() > bytes_.size(); }
    [[nodiscard]] std::size_t bytes_read() const { return (read_ + 7) / 8; }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t read_ = 0;
};

constexpr int clue_bits = 8;
constexpr int order_bits = 3;
constexpr int first_bits = 5;
constexpr int second_bits = 3;

}  // namespace

SymbolModel::SymbolModel(int order, int first_level, int second_level)
    : values_(all_orders[static_cast<std::size_t>(order)]),
      not_first_(first_probabilities[static_cast<std::size_t>(first_level)]),
      not_second_(second_probabilities[static_cast<std::size_t>(second_level)]),
      order_(static_cast<std::uint8_t>(order)),
      first_level_(static_cast<std::uint8_t>(first_level)),
      second_level_(static_cast<std::uint8_t>(second_level)) {}

SymbolModel SymbolModel::of_counts(const std::array<std::uint64_t, 3>& counts) {
    const auto count_of = [&](int order, std::size_t place) {
        const Wld value = all_orders[static_cast<std::size_t>(order)][place];
        return counts[static_cast<std::size_t>(value)];
    };
    int order = 0;
    for (int other = 1; other < orders; ++other)
        if (std::pair(count_of(other, 0), count_of(other, 1)) >
            std::pair(count_of(order, 0), count_of(order, 1)))
            order = other;
    const std::uint64_t second = count_of(order, 1);
    const std::uint64_t third = count_of(order, 2);
    return {order,
            best_level(first_probabilities, second + third, counts[0] + counts[1] + counts[2]),
            best_level(second_probabilities, third, second + third)};
}

std::vector<std::uint8_t> DecisionTree::packed() const {
    BitWriter writer;
    for (const Node& node : nodes_) {
        writer.write(node.feature() == leaf ? 1 : 0, 1);
        if (node.feature() != leaf) {
            writer.write(node.feature(), clue_bits);
            continue;
        }
        const SymbolModel& expectation = expectations_[node.target()];
        writer.write(static_cast<std::uint32_t>(expectation.order()), order_bits);
        writer.write(static_cast<std::uint32_t>(expectation.first_level()), first_bits);
        if (expectation.first_level() != 0)
            writer.write(static_cast<std::uint32_t>(expectation.second_level()), second_bits);
    }
    return std::move(writer.bytes);
}

std::optional<DecisionTree::Unpacked> DecisionTree::unpack(std::span<const std::uint8_t> bytes) {
    BitReader reader(bytes);
    std::vector<Node> nodes;
    std::vector<SymbolModel> expectations;
    std::vector<std::size_t> open;  // questions whose branch for yes is yet to come
    for (;;) {
        if (reader.is_past_end() || nodes.size() == max_nodes) return std::nullopt;
        if (reader.read(1) == 0) {
            const std::uint32_t feature = reader.read(clue_bits);
            if (feature >= Features::number) return std::nullopt;
            open.push_back(nodes.size());
            nodes.emplace_back(feature, 0);
            continue;
        }
        const int order = static_cast<int>(reader.read(order_bits));
        const int first = static_cast<int>(reader.read(first_bits));
        const int second = first == 0 ? 0 : static_cast<int>(reader.read(second_bits));
        if (order >= SymbolModel::orders) return std::nullopt;
        nodes.emplace_back(leaf, expectations.size());
        expectations.emplace_back(order, first, second);
        if (open.empty()) break;
        nodes[open.back()].set_target(nodes.size());
        open.pop_back();
    }
    if (reader.is_past_end()) return std::nullopt;
    Unpacked unpacked{DecisionTree(std::move(nodes), 0), reader.bytes_read()};
    unpacked.tree.expectations_ = std::move(expectations);
    return unpacked;
}

}  // namespace defiance
