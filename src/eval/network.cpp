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

/// The kind of the piece on an occupied square in the order of the inputs, as black sees it.
std::size_t kind_of(const Position& p, Bitboard square) {
    DEFIANCE_ASSERT((p.occupied() & square) != 0);
    return ((p.white & square) != 0 ? 2U : 0U) + ((p.kings & square) != 0 ? 1U : 0U);
}

}  // namespace

Network::Network(NetworkParameters parameters, Instructions instructions)
    : parameters_(std::move(parameters)),
      input_weights_(parameters_.input_weights),
      hidden_biases_(parameters_.hidden_biases),
      output_weights_(parameters_.output_weights),
      kernels_(&row_kernels(instructions)),
      sum_(sum_of(parameters_)) {}

/// Collects the rows of the pieces in `now` and not in `before`, and of the reverse, for both
/// views: for white's the board is turned and the colours are exchanged.
void Network::collect(const Position& before, const Position& now, RowChanges& of_black,
                      RowChanges& of_white) const {
    const auto hidden = static_cast<std::size_t>(parameters_.hidden);
    const std::int16_t* const rows = input_weights_.data();
    const Bitboard changed = (before.black ^ now.black) | (before.white ^ now.white) |
                             ((before.kings ^ now.kings) & before.occupied() & now.occupied());
    for (const int square : Squares(changed)) {
        const Bitboard here = bit(square);
        const auto black_input = static_cast<std::size_t>(square);
        const auto white_input = static_cast<std::size_t>(31 - square);
        if ((now.occupied() & here) != 0) {
            const std::size_t kind = kind_of(now, here);
            of_black.added[of_black.added_count++] = rows + (32 * kind + black_input) * hidden;
            of_white.added[of_white.added_count++] =
                rows + (32 * (kind ^ 2) + white_input) * hidden;
        }
        if ((before.occupied() & here) != 0) {
            const std::size_t kind = kind_of(before, here);
            of_black.removed[of_black.removed_count++] = rows + (32 * kind + black_input) * hidden;
            of_white.removed[of_white.removed_count++] =
                rows + (32 * (kind ^ 2) + white_input) * hidden;
        }
    }
    DEFIANCE_ASSERT(of_black.added_count <= RowChanges::max_rows);
    DEFIANCE_ASSERT(of_black.removed_count <= RowChanges::max_rows);
}

void Network::refresh(const Position& position, std::int16_t* accumulator) const {
    const int hidden = parameters_.hidden;
    RowChanges of_black;
    RowChanges of_white;
    collect({}, position, of_black, of_white);
    kernels_->update(accumulator, hidden_biases_.data(), of_black, hidden);
    kernels_->update(accumulator + hidden, hidden_biases_.data(), of_white, hidden);
}

void Network::update(const Position& from, const std::int16_t* old, const Position& to,
                     std::int16_t* accumulator) const {
    const int hidden = parameters_.hidden;
    RowChanges of_black;
    RowChanges of_white;
    collect(from, to, of_black, of_white);
    kernels_->update(accumulator, old, of_black, hidden);
    kernels_->update(accumulator + hidden, old + hidden, of_white, hidden);
}

Score Network::evaluate(const Position& position, const std::int16_t* accumulator) const {
    const int hidden = parameters_.hidden;
    const auto bucket = static_cast<std::size_t>(
        bucket_of(std::clamp(count(position.occupied()), 1, 24), parameters_.buckets));
    const std::int16_t* const black = accumulator;
    const std::int16_t* const white = accumulator + hidden;
    const bool black_moves = position.side == Side::black;
    const std::int16_t* const own = black_moves ? black : white;
    const std::int16_t* const theirs = black_moves ? white : black;
    const std::int16_t* const weights =
        output_weights_.data() + bucket * 2 * static_cast<std::size_t>(hidden);
    std::int64_t sum = 0;
    if (parameters_.activation == Activation::squared)
        sum = (std::int64_t{kernels_->weigh_squared(own, weights, hidden)} +
               kernels_->weigh_squared(theirs, weights + hidden, hidden)) /
              NetworkParameters::hidden_unit;
    else
        sum = std::int64_t{kernels_->weigh_clipped(own, weights, hidden)} +
              kernels_->weigh_clipped(theirs, weights + hidden, hidden);
    sum += parameters_.output_biases[bucket];
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
