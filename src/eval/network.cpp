#include <defiance/eval/network.hpp>

#include <algorithm>
#include <array>
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

/// The squares of each kind of piece in the order of the inputs, as black sees them.
std::array<Bitboard, 4> kinds_of(const Position& p) {
    return {p.black & ~p.kings, p.black & p.kings, p.white & ~p.kings, p.white & p.kings};
}

}  // namespace

Network::Network(NetworkParameters parameters, Instructions instructions)
    : parameters_(std::move(parameters)),
      input_weights_(parameters_.input_weights),
      hidden_biases_(parameters_.hidden_biases),
      output_weights_(parameters_.output_weights),
      kernels_(&row_kernels(instructions)),
      sum_(sum_of(parameters_)) {}

/// Adds the rows of the pieces in `now` and not in `before`, removes those of the reverse, for one
/// view: black's, or white's with the board turned and the colours exchanged.
void Network::collect(const Position& before, const Position& now, Side view,
                      RowChanges& changes) const {
    const auto old_kinds = kinds_of(before);
    const auto new_kinds = kinds_of(now);
    const auto row = [&](std::size_t kind, int square) {
        const bool is_black = view == Side::black;
        const auto input = static_cast<std::size_t>(is_black ? square : 31 - square) +
                           32 * (is_black ? kind : kind ^ 2);
        return input_weights_.data() + input * static_cast<std::size_t>(parameters_.hidden);
    };
    for (std::size_t kind = 0; kind < new_kinds.size(); ++kind) {
        for (int square : Squares(new_kinds[kind] & ~old_kinds[kind]))
            changes.added[changes.added_count++] = row(kind, square);
        for (int square : Squares(old_kinds[kind] & ~new_kinds[kind]))
            changes.removed[changes.removed_count++] = row(kind, square);
    }
    DEFIANCE_ASSERT(changes.added_count <= RowChanges::max_rows);
    DEFIANCE_ASSERT(changes.removed_count <= RowChanges::max_rows);
}

void Network::refresh(const Position& position, std::int16_t* accumulator) const {
    for (const Side view : {Side::black, Side::white}) {
        RowChanges changes;
        collect({}, position, view, changes);
        kernels_->update(accumulator, hidden_biases_.data(), changes, parameters_.hidden);
        accumulator += parameters_.hidden;
    }
}

void Network::update(const Position& from, const std::int16_t* old, const Position& to,
                     std::int16_t* accumulator) const {
    for (const Side view : {Side::black, Side::white}) {
        RowChanges changes;
        collect(from, to, view, changes);
        kernels_->update(accumulator, old, changes, parameters_.hidden);
        accumulator += parameters_.hidden;
        old += parameters_.hidden;
    }
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
