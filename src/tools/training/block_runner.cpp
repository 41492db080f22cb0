#include <tools/training/block_runner.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/eval/network.hpp>
#include <tools/training/portable_math.hpp>

namespace defiance {
namespace {

static_assert(input_count == NetworkParameters::inputs);

/// Marks the piece on this square as active for both views.
inline void add_piece(Block& block, int row, int number, int input) {
    const int turned = input ^ NetworkParameters::other_view;
    block.inputs[row][number] = static_cast<std::uint8_t>(input);
    block.inputs[row + 1][number] = static_cast<std::uint8_t>(turned);
    block.rows[input][block.row_counts[input]++] = static_cast<std::uint8_t>(row);
    block.rows[turned][block.row_counts[turned]++] = static_cast<std::uint8_t>(row + 1);
}

void add_position(Block& block, const TrainingRecord& record, int position, int buckets) {
    const Bitboard kinds[] = {record.own & ~record.kings, record.own & record.kings,
                              record.theirs & ~record.kings, record.theirs & record.kings};
    int pieces = 0;
    for (int kind = 0; kind < 4; ++kind)
        for (Bitboard rest = kinds[kind]; rest != 0; rest &= rest - 1)
            add_piece(block, 2 * position, pieces++, kind * 32 + lowest(rest));
    DEFIANCE_ASSERT(pieces >= 1 && pieces <= max_pieces);
    block.pieces[position] = static_cast<std::uint8_t>(pieces);
    block.buckets[position] = static_cast<std::uint8_t>(bucket_of(pieces, buckets));
}

std::size_t hidden_size(const NetworkShape& shape) {
    return static_cast<std::size_t>(block_rows) * static_cast<std::size_t>(shape.hidden);
}

}  // namespace

float target_of(const TrainingRecord& record, float result_share) {
    const float result = static_cast<float>(record.result + 1) / 2;
    const double score = static_cast<double>(record.score) / NetworkParameters::score_unit;
    return result_share * result + (1 - result_share) * static_cast<float>(sigmoid(score));
}

BlockRunner::BlockRunner(const NetworkShape& shape, const TrainingKernels& kernels,
                         float result_share)
    : shape_(shape),
      kernels_(kernels),
      result_share_(result_share),
      hidden_(hidden_size(shape)),
      features_(static_cast<std::size_t>(block_positions * shape.features())),
      second_(static_cast<std::size_t>(block_positions * shape.second)),
      block_(std::make_unique<Block>()) {
    block_->hidden = hidden_.data();
    block_->features = features_.data();
    block_->second = second_.data();
}

void BlockRunner::load(std::span<const TrainingRecord> records) {
    DEFIANCE_ASSERT(!records.empty() && records.size() <= block_positions);
    Block& block = *block_;
    block.positions = static_cast<int>(records.size());
    std::fill(std::begin(block.row_counts), std::end(block.row_counts), std::uint8_t{0});
    for (int i = 0; i < block.positions; ++i) {
        const TrainingRecord& record = records[static_cast<std::size_t>(i)];
        add_position(block, record, i, shape_.buckets);
        block.targets[i] = target_of(record, result_share_);
    }
}

double BlockRunner::forward(const NetworkParts<const float>& network) {
    Block& block = *block_;
    kernels_.forward(shape_, network, block);
    kernels_.output(shape_, network, block);
    double loss = 0;
    for (int i = 0; i < block.positions; ++i) {
        const double expected = sigmoid(block.outputs[i]);
        const double error = expected - block.targets[i];
        block.slopes[i] = static_cast<float>(2 * error * expected * (1 - expected));
        loss += error * error;
    }
    return loss;
}

void BlockRunner::backward(const NetworkParts<const float>& network,
                           const NetworkParts<float>& gradients) {
    DEFIANCE_ASSERT(block_->positions > 0);
    kernels_.backward(shape_, network, *block_, gradients);
}

}  // namespace defiance
