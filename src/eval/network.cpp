#include <defiance/eval/network.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>

namespace defiance {
namespace {

/// The checksum that ends the file.
std::uint32_t sum_of(const NetworkParameters& parameters) {
    const auto bytes = serialize(parameters);
    return checksum(std::span(bytes).first(bytes.size() - sizeof(std::uint32_t)));
}

/// The weights of the features in one array, those of a bucket together.
AlignedArray rows_of(const NetworkParameters& p) {
    const auto features = static_cast<std::size_t>(p.features());
    const auto second = static_cast<std::size_t>(p.second);
    std::vector<std::int16_t> rows;
    for (std::size_t bucket = 0; bucket < static_cast<std::size_t>(p.buckets); ++bucket) {
        const auto output = std::span(p.output_weights).subspan(bucket * features, features);
        const auto others =
            std::span(p.second_weights).subspan(bucket * second * features, second * features);
        rows.insert(rows.end(), output.begin(), output.end());
        rows.insert(rows.end(), others.begin(), others.end());
    }
    return AlignedArray(rows);
}

/// Appends the inputs of the pieces on these squares as black sees them.
void append_inputs(const Position& p, Bitboard squares, std::uint8_t* inputs, int& count) {
    for (const int square : Squares(squares)) {
        const auto is_white = (p.white >> square) & 1;
        const auto is_king = (p.kings >> square) & 1;
        inputs[count++] = static_cast<std::uint8_t>(static_cast<Bitboard>(square) +
                                                    32 * (2 * is_white + is_king));
    }
}

/// The inputs of the pieces in `now` and not in `before`, and of the reverse.
RowChanges changes_between(const Position& before, const Position& now) {
    // To white the board is turned, square 31 - s for s, and the colours are exchanged.
    constexpr std::uint8_t mirror = 64 | 31;
    const Bitboard changed = (before.black ^ now.black) | (before.white ^ now.white) |
                             ((before.kings ^ now.kings) & before.occupied() & now.occupied());
    RowChanges changes;
    changes.mirror = mirror;
    append_inputs(now, changed & now.occupied(), changes.added, changes.added_count);
    append_inputs(before, changed & before.occupied(), changes.removed, changes.removed_count);
    DEFIANCE_ASSERT(changes.added_count <= RowChanges::max_rows);
    DEFIANCE_ASSERT(changes.removed_count <= RowChanges::max_rows);
    return changes;
}

}  // namespace

Network::Network(NetworkParameters parameters, Instructions instructions)
    : parameters_(std::move(parameters)),
      input_weights_(parameters_.input_weights),
      hidden_biases_(parameters_.hidden_biases),
      rows_(rows_of(parameters_)),
      kernels_(&row_kernels(instructions, parameters_.hidden)),
      sum_(sum_of(parameters_)) {}

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
    const auto bucket = static_cast<std::size_t>(
        bucket_of(std::clamp(count(position.occupied()), 1, 24), parameters_.buckets));
    // The weights of the side to move stand first, the accumulator of black does.
    const bool is_swapped = position.side == Side::white;
    constexpr std::int64_t unit = std::int64_t{P::hidden_unit} * P::output_unit;
    constexpr std::int64_t unit_of_pairs =
        std::int64_t{P::pair_unit} * P::pair_unit * P::output_unit;
    // Each divisor is a constant where it divides, so that compilers multiply instead.
    const std::int64_t score =
        parameters_.activation == Activation::paired
            ? sum_of_pairs(accumulator, bucket, is_swapped) * P::score_unit / unit_of_pairs
            : sum_of_features(accumulator, bucket, is_swapped) * P::score_unit / unit;
    return static_cast<Score>(std::clamp<std::int64_t>(score, -evaluation_limit, evaluation_limit));
}

/// The output in units of 1 / (255 * 64).
std::int64_t Network::sum_of_features(const std::int16_t* accumulator, std::size_t bucket,
                                      bool is_swapped) const {
    const int hidden = parameters_.hidden;
    const std::int16_t* const weights =
        rows_.data() + bucket * static_cast<std::size_t>(parameters_.features());
    const std::int64_t sum =
        parameters_.activation == Activation::squared
            ? kernels_->weigh_squared(accumulator, weights, is_swapped, hidden) /
                  NetworkParameters::hidden_unit
            : kernels_->weigh_clipped(accumulator, weights, is_swapped, hidden);
    return sum + parameters_.output_biases[bucket];
}

/// The output in units of 1 / (254 * 254 * 64): a unit of the second layer is rounded to 1/254
/// before it is squared.
std::int64_t Network::sum_of_pairs(const std::int16_t* accumulator, std::size_t bucket,
                                   bool is_swapped) const {
    using P = NetworkParameters;
    const auto second = static_cast<std::size_t>(parameters_.second);
    const auto features = static_cast<std::size_t>(parameters_.features());
    std::int32_t sums[1 + P::max_second];
    kernels_->weigh_pairs(accumulator, rows_.data() + bucket * (1 + second) * features, is_swapped,
                          parameters_.hidden, 1 + parameters_.second, sums);
    const std::int64_t output =
        std::int64_t{sums[0] + parameters_.output_biases[bucket]} * P::pair_unit;
    // At most 32 * 254 * 254 * 127, which fits into 32 bits.
    static_assert(std::int64_t{P::max_second} * P::pair_unit * P::pair_unit * P::max_output_weight <
                  std::int64_t{1} << 31);
    std::int32_t of_second_layer = 0;
    const std::int32_t* const biases = parameters_.second_biases.data() + bucket * second;
    const std::int16_t* const outputs = parameters_.second_outputs.data() + bucket * second;
    for (std::size_t i = 0; i < second; ++i) {
        const auto clipped = static_cast<std::uint32_t>(
            std::clamp(sums[1 + i] + biases[i], 0, P::pair_unit * P::output_unit));
        const auto unit = static_cast<std::int32_t>(clipped / P::output_unit);
        of_second_layer += unit * unit * std::int32_t{outputs[i]};
    }
    return output + of_second_layer;
}

Score Network::evaluate(const Position& position) const {
    AlignedArray accumulator(accumulator_size());
    refresh(position, accumulator.data());
    return evaluate(position, accumulator.data());
}

}  // namespace defiance
