#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tools/training/adam.hpp>
#include <tools/training/dataset.hpp>
#include <tools/training/float_network.hpp>
#include <tools/training/micro_batch_runner.hpp>
#include <tools/training/permutation.hpp>
#include <tools/training/thread_team.hpp>

namespace defiance {

struct TrainerSettings {
    NetworkShape shape{256, 8, 8};
    int epochs = 10;            ///< passes over the data
    double rate = 0.003;        ///< of learning, at its highest; see rate_factor()
    double result_share = 0.3;  ///< 0 to 1: what counts for the result, the rest for the score
    int batch = 4096;           ///< positions of a step
    std::uint64_t seed = 1;     ///< of the first weights and the order of positions
    int threads = 1;
};

/// What an epoch has reached: mean squared errors of the expected result.
struct EpochLosses {
    double rate = 0;  ///< at its end
    double training = 0;
    double holdout = 0;
};

/// Trains a network. The same data and settings give the same bits on every machine and any number
/// of threads: each batch is cut into slices in the same places, and sums are taken in their order.
class Trainer {
public:
    /// Keeps a reference to the data, which must not be empty on either side.
    Trainer(const TrainerSettings& settings, const Dataset& data,
            const TrainingKernels& kernels = fastest_training_kernels());

    /// Begins with the weights of a network of the same shape instead of random ones. Only before
    /// the first epoch.
    void begin_with(const FloatNetwork& network);

    /// Trains for an epoch. Asks `is_stopped(positions done in this epoch)` after each batch; when
    /// it says so the result is empty, and the trainer is of no more use.
    [[nodiscard]] std::optional<EpochLosses> run_epoch(
        const std::function<bool(std::uint64_t)>& is_stopped);

    [[nodiscard]] bool is_done() const { return epoch() >= settings_.epochs; }
    /// Epochs that are finished.
    [[nodiscard]] int epoch() const { return static_cast<int>(history_.size()); }
    [[nodiscard]] const std::vector<EpochLosses>& history() const { return history_; }
    [[nodiscard]] const FloatNetwork& network() const { return network_; }
    /// Mean loss of the network on the data held out.
    [[nodiscard]] double holdout_loss();

    /// All that the next epoch depends on, besides the settings and the data.
    [[nodiscard]] std::string state();
    /// Goes on from such a state. False, with nothing changed, when it is none of this trainer.
    [[nodiscard]] bool restore(std::string_view state);

private:
    static constexpr int slices = 32;  // of a batch; a batch is finished by at most as many threads

    [[nodiscard]] double run_batch(const Permutation& order, std::uint64_t begin, int size,
                                   double rate);
    [[nodiscard]] double run_slice(const Permutation& order, std::uint64_t begin, std::uint64_t end,
                                   MicroBatchRunner& runner, const NetworkParts<float>& gradients);
    [[nodiscard]] std::uint64_t batches() const;

    TrainerSettings settings_;
    const Dataset& data_;
    const TrainingKernels& kernels_;
    FloatNetwork network_;
    Adam adam_;
    std::int64_t gradient_stride_;
    AlignedArray<float> gradients_;
    std::vector<MicroBatchRunner> runners_;  // by thread
    ThreadTeam team_;
    std::vector<EpochLosses> history_;
};

}  // namespace defiance
