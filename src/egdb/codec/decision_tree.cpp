#include "decision_tree.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr int fraction_bits = 24;

constexpr std::array<std::array<Wld, 3>, SymbolModel::orders> all_orders = {{
    {Wld::draw, Wld::win, Wld::loss},
    {Wld::draw, Wld::loss, Wld::win},
    {Wld::win, Wld::draw, Wld::loss},
    {Wld::win, Wld::loss, Wld::draw},
    {Wld::loss, Wld::draw, Wld::win},
    {Wld::loss, Wld::win, Wld::draw},
}};

/// Probabilities that a file can name, by about the same factor apart: 1.41 from 1 in 65536 on, and
/// 2.3. Written out, since all machines must have the same.
constexpr std::array<Probability, SymbolModel::first_levels> first_probabilities = {
    0,    1,    2,    3,    4,    6,     8,     11,    16,    23,   32,
    45,   64,   91,   128,  181,  256,   362,   512,   724,   1024, 1448,
    2048, 2896, 4096, 5793, 8192, 11585, 16384, 23170, 32768, 43691};
constexpr std::array<Probability, SymbolModel::second_levels> second_probabilities = {
    0, 256, 1024, 3072, 7168, 13312, 21504, 32768};

/// The bits that an event of so many 65536ths takes, in 2^-24 bits: the logarithm to the base 2 by
/// repeated squaring, in integers, since the results of std::log2 differ from machine to machine.
constexpr std::uint64_t cost_of(std::uint32_t probability) {
    DEFIANCE_ASSERT(probability > 0 && probability < 65536);
    const auto whole = static_cast<unsigned>(std::bit_width(probability) - 1);
    std::uint64_t mantissa = std::uint64_t{probability} << (31 - whole);  // 2^31 to 2^32 - 1
    std::uint64_t logarithm = whole;
    for (int i = 0; i < fraction_bits; ++i) {
        mantissa = mantissa * mantissa >> 31;
        const std::uint64_t is_two_or_more = mantissa >> 32;
        mantissa >>= is_two_or_more;
        logarithm = logarithm << 1 | is_two_or_more;
    }
    return (std::uint64_t{16} << fraction_bits) - logarithm;
}

/// What a bit takes at each level, when it is set and when it is not.
template <std::size_t Size>
constexpr auto costs_of(const std::array<Probability, Size>& probabilities) {
    std::array<std::array<std::uint64_t, 2>, Size> costs{};
    for (std::size_t level = 1; level < Size; ++level)
        costs[level] = {cost_of(probabilities[level]), cost_of(65536U - probabilities[level])};
    return costs;
}

constexpr auto first_costs = costs_of(first_probabilities);
constexpr auto second_costs = costs_of(second_probabilities);

/// The level at which so many bits set among all take the fewest bits.
template <std::size_t Size>
int best_level(const std::array<std::array<std::uint64_t, 2>, Size>& costs, std::uint64_t set,
               std::uint64_t all) {
    DEFIANCE_ASSERT(set <= all);
    if (set == 0) return 0;
    // A bit takes up to 2^28 units: more than 2^35 of them would not fit into the sum.
    const int shift = std::max(0, static_cast<int>(std::bit_width(all)) - 35);
    all >>= shift;
    set = std::max<std::uint64_t>(1, set >> shift);
    const auto cost_at = [&](std::size_t level) {
        return set * costs[level][0] + (all - set) * costs[level][1];
    };
    std::size_t best = 1;
    for (std::size_t level = 2; level < Size; ++level)
        if (cost_at(level) < cost_at(best)) best = level;
    return static_cast<int>(best);
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

constexpr int feature_bits = 8;
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
    return {order, best_level(first_costs, second + third, counts[0] + counts[1] + counts[2]),
            best_level(second_costs, third, second + third)};
}

std::vector<std::uint8_t> DecisionTree::packed() const {
    BitWriter writer;
    for (const Node& node : nodes_) {
        writer.write(node.feature() == leaf ? 1 : 0, 1);
        if (node.feature() != leaf) {
            writer.write(node.feature(), feature_bits);
            continue;
        }
        const SymbolModel& model = models_[node.target()];
        writer.write(static_cast<std::uint32_t>(model.order()), order_bits);
        writer.write(static_cast<std::uint32_t>(model.first_level()), first_bits);
        if (model.first_level() != 0)
            writer.write(static_cast<std::uint32_t>(model.second_level()), second_bits);
    }
    return std::move(writer.bytes);
}

std::optional<DecisionTree::Unpacked> DecisionTree::unpack(std::span<const std::uint8_t> bytes) {
    BitReader reader(bytes);
    std::vector<Node> nodes;
    std::vector<SymbolModel> models;
    std::vector<std::size_t> open;  // questions whose branch for yes is yet to come
    for (;;) {
        if (reader.is_past_end() || nodes.size() == max_nodes) return std::nullopt;
        if (reader.read(1) == 0) {
            const std::uint32_t feature = reader.read(feature_bits);
            if (feature >= Features::number) return std::nullopt;
            open.push_back(nodes.size());
            nodes.emplace_back(feature, 0);
            continue;
        }
        const int order = static_cast<int>(reader.read(order_bits));
        const int first = static_cast<int>(reader.read(first_bits));
        const int second = first == 0 ? 0 : static_cast<int>(reader.read(second_bits));
        if (order >= SymbolModel::orders) return std::nullopt;
        nodes.emplace_back(leaf, models.size());
        models.emplace_back(order, first, second);
        if (open.empty()) break;
        nodes[open.back()].set_target(nodes.size());
        open.pop_back();
    }
    if (reader.is_past_end()) return std::nullopt;
    Unpacked unpacked{DecisionTree(std::move(nodes), 0), reader.bytes_read()};
    unpacked.tree.models_ = std::move(models);
    return unpacked;
}

}  // namespace defiance
