#pragma once

#include <memory>
#include <span>

#include <defiance/base/aligned_array.hpp>
#include <tools/training/records.hpp>
#include <tools/training/training_kernels.hpp>

namespace defiance {

/// Takes some positions at a time through a network. For one thread.
class MicroBatchRunner {
public:
    /// `result_share` is the part of the result of the game in what the network learns, 0 to 1; the
    /// score of the search is the rest.
    MicroBatchRunner(const NetworkShape& shape, const TrainingKernels& kernels, float result_share);

    /// Takes 1 to micro_batch_positions records.
    void load(std::span<const TrainingRecord> records);
    /// The losses of the positions added up: squares of the error of the expected result.
    double forward(const NetworkParts<const float>& network);
    /// Adds the gradients of these losses; forward() comes first, with the same network.
    void backward(const NetworkParts<const float>& network, const NetworkParts<float>& gradients);
    /// Of the position with this number, after forward().
    [[nodiscard]] float output(int position) const { return batch_->outputs[position]; }

private:
    NetworkShape shape_;
    const TrainingKernels& kernels_;
    float result_share_;
    AlignedArray<float> hidden_;
    AlignedArray<float> products_;
    AlignedArray<float> second_;
    std::unique_ptr<MicroBatch> batch_;
};

/// What the network should say, 0 to 1.
[[nodiscard]] float target_of(const TrainingRecord& record, float result_share);

}  // namespace defiance
