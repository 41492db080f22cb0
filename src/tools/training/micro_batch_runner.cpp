#include <tools/training/micro_batch_runner.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/eval/network.hpp>
#include <tools/training/portable_math.hpp>

namespace defiance {
namespace {

static_assert(input_count == NetworkParameters::inputs);

/// Marks the piece on this square as active for both views.
inline void add_piece(MicroBatch& batch, int row, int number, int input) {
    const int turned = input ^ NetworkParameters::other_view;
    batch.inputs[row][number] = static_cast<std::uint8_t>(input);
    batch.inputs[row + 1][number] = static_cast<std::uint8_t>(turned);
    batch.rows[input][batch.row_counts[input]++] = static_cast<std::uint8_t>(row);
    batch.rows[turned][batch.row_counts[turned]++] = static_cast<std::uint8_t>(row + 1);
}

void add_position(MicroBatch& batch, const TrainingRecord& record, int position, int buckets) {
    const Bitboard kinds[] = {record.own & ~record.kings, record.own & record.kings,
                              record.theirs & ~record.kings, record.theirs & record.kings};
    int pieces = 0;
    for (int kind = 0; kind < 4; ++kind)
        for (Bitboard rest = kinds[kind]; rest != 0; rest &= rest - 1)
            add_piece(batch, 2 * position, pieces++, kind * 32 + lowest(rest));
    DEFIANCE_ASSERT(pieces >= 1 && pieces <= max_pieces);
    batch.pieces[position] = static_cast<std::uint8_t>(pieces);
    batch.buckets[position] = static_cast<std::uint8_t>(bucket_of(pieces, buckets));
}

std::size_t hidden_size(const NetworkShape& shape) {
    return static_cast<std::size_t>(micro_batch_rows) * static_cast<std::size_t>(shape.hidden);
}

}  // namespace

float target_of(const TrainingRecord& record, float result_share) {
    const float result = static_cast<float>(record.result + 1) / 2;
    const double score = static_cast<double>(record.score) / NetworkParameters::score_unit;
    return result_share * result + (1 - result_share) * static_cast<float>(sigmoid(score));
}

MicroBatchRunner::MicroBatchRunner(const NetworkShape& shape, const TrainingKernels& kernels,
                                   float result_share)
    : shape_(shape),
      kernels_(kernels),
      result_share_(result_share),
      hidden_(hidden_size(shape)),
      features_(static_cast<std::size_t>(micro_batch_positions * shape.features())),
      second_(static_cast<std::size_t>(micro_batch_positions * shape.second)),
      batch_(std::make_unique<MicroBatch>()) {
    batch_->hidden = hidden_.data();
    batch_->features = features_.data();
    batch_->second = second_.data();
}

void MicroBatchRunner::load(std::span<const TrainingRecord> records) {
    DEFIANCE_ASSERT(!records.empty() && records.size() <= micro_batch_positions);
    MicroBatch& batch = *batch_;
    batch.positions = static_cast<int>(records.size());
    std::fill(std::begin(batch.row_counts), std::end(batch.row_counts), std::uint8_t{0});
    for (int i = 0; i < batch.positions; ++i) {
        const TrainingRecord& record = records[static_cast<std::size_t>(i)];
        add_position(batch, record, i, shape_.buckets);
        batch.targets[i] = target_of(record, result_share_);
    }
}

double MicroBatchRunner::forward(const NetworkParts<const float>& network) {
    MicroBatch& batch = *batch_;
    kernels_.forward(shape_, network, batch);
    kernels_.output(shape_, network, batch);
    double loss = 0;
    for (int i = 0; i < batch.positions; ++i) {
        const double expected = sigmoid(batch.outputs[i]);
        const double error = expected - batch.targets[i];
        batch.slopes[i] = static_cast<float>(2 * error * expected * (1 - expected));
        loss += error * error;
    }
    return loss;
}

void MicroBatchRunner::backward(const NetworkParts<const float>& network,
                                const NetworkParts<float>& gradients) {
    DEFIANCE_ASSERT(batch_->positions > 0);
    kernels_.backward(shape_, network, *batch_, gradients);
}

}  // namespace defiance
