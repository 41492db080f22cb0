#include <defiance/eval/network.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>

namespace defiance {
namespace {

/// Whether other_view turns every input into that of the same piece as the opponent sees it.
constexpr bool turns_every_input() {
    using P = NetworkParameters;
    for (const bool is_theirs : {false, true})
        for (const bool is_king : {false, true})
            for (int square = 0; square < 32; ++square)
                if ((P::input(is_theirs, is_king, square) ^ P::other_view) !=
                    P::input(!is_theirs, is_king, 31 - square))
                    return false;
    return true;
}
static_assert(turns_every_input());
// RowChanges keeps inputs as bytes, and has room for all that are active.
static_assert(NetworkParameters::input(true, true, 31) == NetworkParameters::inputs - 1);
static_assert(NetworkParameters::inputs - 1 <= UINT8_MAX);
static_assert(NetworkParameters::max_active <= RowChanges::max_rows);

/// The checksum that ends the file.
std::uint32_t checksum_of(const NetworkParameters& parameters) {
    const auto bytes = serialize(parameters);
    return checksum(std::span(bytes).first(bytes.size() - sizeof(std::uint32_t)));
}

/// The units of the second layer that kernels want.
int padded_units(const NetworkParameters& p) {
    constexpr int step = PairLayers::unit_step;
    return (p.second + step - 1) / step * step;
}

/// The weights of the products in one array: of each bucket those of the second layer, rows of
/// zeros that fill it up, and the output's.
std::vector<std::int16_t> rows_of(const NetworkParameters& p) {
    const auto products = static_cast<std::size_t>(p.products());
    const auto second = static_cast<std::size_t>(p.second);
    const auto padding = static_cast<std::size_t>(padded_units(p)) - second;
    std::vector<std::int16_t> rows;
    for (std::size_t bucket = 0; bucket < static_cast<std::size_t>(p.buckets); ++bucket) {
        const auto units =
            std::span(p.second_weights).subspan(bucket * second * products, second * products);
        const auto output = std::span(p.output_weights).subspan(bucket * products, products);
        rows.insert(rows.end(), units.begin(), units.end());
        rows.resize(rows.size() + padding * products);
        rows.insert(rows.end(), output.begin(), output.end());
    }
    return rows;
}

/// Weights of products and of units are that small in every file that parse_network() accepts.
std::vector<std::int8_t> to_bytes(const std::vector<std::int16_t>& weights) {
    static_assert(NetworkParameters::max_output_weight <= INT8_MAX);
    std::vector<std::int8_t> bytes;
    for (const std::int16_t weight : weights) {
        DEFIANCE_ASSERT(std::abs(weight) <= NetworkParameters::max_output_weight);
        bytes.push_back(static_cast<std::int8_t>(weight));
    }
    return bytes;
}

/// Values of the units of the second layer, those of each bucket filled up with zeros.
template <class T>
std::vector<T> padded(const std::vector<T>& values, const NetworkParameters& p, int length) {
    std::vector<T> result;
    auto from = values.begin();
    for (int bucket = 0; bucket < p.buckets; ++bucket) {
        result.insert(result.end(), from, from + p.second);
        result.resize(static_cast<std::size_t>((bucket + 1) * length));
        from += p.second;
    }
    return result;
}

/// The inputs of the pieces on these squares, as black sees them and as white does. Returns how
/// many they are.
int collect_inputs(const Position& p, Bitboard squares,
                   std::uint8_t (&inputs)[2][RowChanges::max_rows]) {
    int count = 0;
    for (const int square : Squares(squares)) {
        const bool is_white = ((p.white >> square) & 1) != 0;
        const bool is_king = ((p.kings >> square) & 1) != 0;
        const int input = NetworkParameters::input(is_white, is_king, square);
        DEFIANCE_ASSERT(count < RowChanges::max_rows);
        inputs[0][count] = static_cast<std::uint8_t>(input);
        inputs[1][count] = static_cast<std::uint8_t>(input ^ NetworkParameters::other_view);
        ++count;
    }
    return count;
}

/// The inputs of the pieces in `now` and not in `before`, and of the reverse.
RowChanges changes_between(const Position& before, const Position& now) {
    const Bitboard changed = (before.black ^ now.black) | (before.white ^ now.white) |
                             ((before.kings ^ now.kings) & before.occupied() & now.occupied());
    RowChanges changes;
    changes.added_count = collect_inputs(now, changed & now.occupied(), changes.added);
    changes.removed_count = collect_inputs(before, changed & before.occupied(), changes.removed);
    return changes;
}

}  // namespace

Network::Network(NetworkParameters parameters, Instructions instructions)
    : parameters_(std::move(parameters)),
      input_weights_(std::span<const std::int16_t>(parameters_.input_weights)),
      hidden_biases_(std::span<const std::int16_t>(parameters_.hidden_biases)),
      rows_(std::span<const std::int16_t>(rows_of(parameters_))),
      byte_rows_(std::span<const std::int8_t>(to_bytes(rows_of(parameters_)))),
      unit_biases_(padded(parameters_.second_biases, parameters_, padded_units(parameters_))),
      unit_outputs_(padded(parameters_.second_outputs, parameters_, padded_units(parameters_))),
      kernels_(&row_kernels(instructions, parameters_.hidden)),
      checksum_(checksum_of(parameters_)) {}

void Network::refresh(const Position& position, std::int16_t* accumulator) const {
    const auto hidden = static_cast<std::size_t>(parameters_.hidden);
    for (std::size_t view = 0; view < 2; ++view)
        std::copy_n(hidden_biases_.data(), hidden, accumulator + view * hidden);
    update({}, accumulator, position, accumulator);
}

void Network::update(const Position& from, const std::int16_t* old, const Position& to,
                     std::int16_t* accumulator) const {
    kernels_->update(accumulator, old, input_weights_.data(), changes_between(from, to),
                     parameters_.hidden);
}

Score Network::evaluate(const Position& position, const std::int16_t* accumulator) const {
    using P = NetworkParameters;
    const auto bucket = static_cast<std::size_t>(bucket_of(
        std::clamp(count(position.occupied()), 1, max_pieces_on_board), parameters_.buckets));
    // The weights of the side to move stand first, the accumulator of black does.
    const bool is_swapped = position.side == Side::white;
    constexpr std::int64_t one =
        std::int64_t{P::product_scale} * P::product_scale * P::output_scale;
    const std::int64_t score = output(accumulator, bucket, is_swapped) * P::score_scale / one;
    return static_cast<Score>(std::clamp<std::int64_t>(score, -evaluation_limit, evaluation_limit));
}

/// The output in units of 1 / (254 * 254 * 64): a unit of the second layer is rounded to 1/254
/// before it is squared.
std::int64_t Network::output(const std::int16_t* accumulator, std::size_t bucket,
                             bool is_swapped) const {
    using P = NetworkParameters;
    static_assert(PairLayers::max_unit_sum == P::product_scale * P::output_scale);
    // No sum over the products or over the units leaves 32 bits.
    static_assert(P::max_second_bias == P::max_output_bias);
    static_assert(std::int64_t{P::max_hidden} * P::product_scale * P::max_output_weight +
                      P::max_output_bias <
                  std::int64_t{1} << 31);
    static_assert(std::int64_t{P::max_second} * P::product_scale * P::product_scale *
                      P::max_output_weight <
                  std::int64_t{1} << 31);
    const int units = padded_units(parameters_);
    const auto first_unit = bucket * static_cast<std::size_t>(units);
    const auto first_weight =
        bucket * static_cast<std::size_t>(units + 1) * static_cast<std::size_t>(parameters_.hidden);
    const PairLayers layers = {rows_.data() + first_weight, byte_rows_.data() + first_weight,
                               unit_biases_.data() + first_unit, unit_outputs_.data() + first_unit,
                               units};
    const PairSums sums =
        kernels_->weigh_pairs(accumulator, layers, is_swapped, parameters_.hidden);
    return std::int64_t{sums.products + parameters_.output_biases[bucket]} * P::product_scale +
           sums.units;
}

Score Network::evaluate(const Position& position) const {
    AlignedArray<std::int16_t> accumulator(accumulator_size());
    refresh(position, accumulator.data());
    return evaluate(position, accumulator.data());
}

}  // namespace defiance
