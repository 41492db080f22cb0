#include <defiance/eval/network.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>

namespace defiance {
namespace {

/// The checksum that ends the file.
std::uint32_t sum_of(const NetworkParameters& parameters) {
    const auto bytes = serialize(parameters);
    return checksum(std::span(bytes).first(bytes.size() - sizeof(std::uint32_t)));
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
      output_weights_(parameters_.output_weights),
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
    const int hidden = parameters_.hidden;
    const auto bucket = static_cast<std::size_t>(
        bucket_of(std::clamp(count(position.occupied()), 1, 24), parameters_.buckets));
    const std::int16_t* const weights =
        output_weights_.data() + bucket * 2 * static_cast<std::size_t>(hidden);
    // The weights of the side to move stand first, the accumulator of black does.
    const bool is_swapped = position.side == Side::white;
    const std::int64_t sum_of_hidden =
        parameters_.activation == Activation::squared
            ? kernels_->weigh_squared(accumulator, weights, is_swapped, hidden) /
                  NetworkParameters::hidden_unit
            : kernels_->weigh_clipped(accumulator, weights, is_swapped, hidden);
    const std::int64_t sum = sum_of_hidden + parameters_.output_biases[bucket];
    const auto score = static_cast<Score>(
        sum * NetworkParameters::score_unit /
        (std::int64_t{NetworkParameters::hidden_unit} * NetworkParameters::output_unit));
    return std::clamp(score, -evaluation_limit, evaluation_limit);
}

Score Network::evaluate(const Position& position) const {
    AlignedArray accumulator(accumulator_size());
    refresh(position, accumulator.data());
    return evaluate(position, accumulator.data());
}

}  // namespace defiance
