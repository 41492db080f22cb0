#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/eval/network.hpp>
#include <tools/training/dataset.hpp>
#include <tools/training/trainer.hpp>

namespace defiance {

/// A training as the user asks for it.
struct TrainingOrder {
    // What the settings in a network tell of the rate and the result share, which have no more.
    static constexpr int rate_decimals = 6;
    static constexpr int share_decimals = 4;

    TrainerSettings trainer;
    DatasetSettings data;
    std::vector<std::string> files;
    std::optional<NetworkParameters>
        start;                ///< the training begins with it, not with random weights
    std::string start_file;   ///< where `start` is from
    std::string out;          ///< of the network; the state has its name and an extension
    std::string table;        ///< of the losses, as comma-separated values
    std::string picture;      ///< of the losses, as SVG
    std::string game_name;    ///< as GameRules::name
    std::string description;  ///< what the network says of itself; the settings when empty
};

/// Error: two files that the training reads or writes are the same one, with the two options, or a
/// file that it is to write is there and of another kind. What it writes would be destroyed, or
/// what is there, and positions that it reads twice would count twice.
[[nodiscard]] std::optional<Error> check_files(const TrainingOrder& order);

/// Who follows a training.
class TrainingMonitor {
public:
    virtual ~TrainingMonitor() = default;
    virtual void note(const std::string& line) = 0;  ///< how far it is
    /// Asked after each batch: true ends the training.
    [[nodiscard]] virtual bool is_stopped() = 0;
};

/// What a training has come to. The losses are mean squared errors.
struct TrainingOutcome {
    std::uint64_t positions = 0;  ///< learned from, those held out not counted
    double training_loss = 0;     ///< of the last epoch
    double holdout_loss = 0;      ///< of the network as it is written, in whole numbers
};

/// Trains a network, from where an interrupted training with the same settings and data has
/// stopped, and writes it. Notes and writes the losses after each epoch; that they cannot be
/// written is noted, too, and an error only at the beginning and at the end. No outcome when
/// `is_stopped` has ended it after a batch. Error: a file cannot be written, the state that an
/// earlier training left cannot be used, or the network is there and of other settings or data.
[[nodiscard]] Result<std::optional<TrainingOutcome>> run_training(const TrainingOrder& order,
                                                                  const Dataset& data,
                                                                  TrainingMonitor& monitor);

}  // namespace defiance
