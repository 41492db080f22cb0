#include <tools/training/micro_batch_runner.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/eval/network.hpp>
#include <tools/training/portable_math.hpp>

namespace defiance {
namespace {

static_assert(input_count == NetworkParameters::inputs);
static_assert(max_active == NetworkParameters::max_active);

/// Makes this input active in the row of the side to move, and that of the same piece in the row
/// of the opponent: number `number` of those that are active there.
inline void activate(MicroBatch& batch, int row, int number, int input) {
    const int turned = input ^ NetworkParameters::other_view;
    batch.inputs[row][number] = static_cast<std::uint8_t>(input);
    batch.inputs[row + 1][number] = static_cast<std::uint8_t>(turned);
    batch.rows[input][batch.row_counts[input]++] = static_cast<std::uint8_t>(row);
    batch.rows[turned][batch.row_counts[turned]++] = static_cast<std::uint8_t>(row + 1);
}

void add_position(MicroBatch& batch, const TrainingRecord& record, int position, int buckets) {
    // The side to move plays black in a record, so its squares are those of its view. What is
    // active in a row keeps this order: sums of floating-point numbers depend on it.
    int active = 0;
    const auto add = [&](bool is_theirs, bool is_king, Bitboard squares) {
        for (const int square : Squares(squares))
            activate(batch, 2 * position, active++,
                     NetworkParameters::input(is_theirs, is_king, square));
    };
    add(false, false, record.own & ~record.kings);
    add(false, true, record.own & record.kings);
    add(true, false, record.theirs & ~record.kings);
    add(true, true, record.theirs & record.kings);
    DEFIANCE_ASSERT(active >= 1 && active <= max_active);
    batch.active_counts[position] = static_cast<std::uint8_t>(active);
    const int pieces = count(record.own | record.theirs);
    batch.buckets[position] = static_cast<std::uint8_t>(bucket_of(pieces, buckets));
}

std::size_t hidden_size(const NetworkShape& shape) {
    return static_cast<std::size_t>(micro_batch_rows) * static_cast<std::size_t>(shape.hidden);
}

}  // namespace

float target_of(const TrainingRecord& record, float result_share) {
    const float result = static_cast<float>(record.result + 1) / 2;
    const double score = static_cast<double>(record.score) / NetworkParameters::score_scale;
    return result_share * result + (1 - result_share) * static_cast<float>(sigmoid(score));
}

MicroBatchRunner::MicroBatchRunner(const NetworkShape& shape, const TrainingKernels& kernels,
                                   float result_share)
    : shape_(shape),
      kernels_(kernels),
      result_share_(result_share),
      hidden_(hidden_size(shape)),
      products_(static_cast<std::size_t>(micro_batch_positions * shape.products())),
      second_(static_cast<std::size_t>(micro_batch_positions * shape.second)),
      batch_(std::make_unique<MicroBatch>()) {
    batch_->hidden = hidden_.data();
    batch_->products = products_.data();
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
