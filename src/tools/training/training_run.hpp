#pragma once

#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/training/dataset.hpp>
#include <tools/training/trainer.hpp>

namespace defiance {

/// A training as the user asks for it.
struct TrainingOrder {
    TrainerSettings trainer;
    DatasetSettings data;
    std::vector<std::string> files;
    std::string out;          ///< of the network; other files have its name and an extension
    std::string game_name;    ///< as GameRules::name
    std::string description;  ///< what the network says of itself; the settings when empty
};

/// Who follows a training.
class TrainingMonitor {
public:
    virtual ~TrainingMonitor() = default;
    virtual void print(const std::string& line) = 0;  ///< what has been reached
    virtual void note(const std::string& line) = 0;   ///< how far it is
    /// Asked after each batch: true ends the training.
    [[nodiscard]] virtual bool is_stopped() = 0;
};

/// Trains a network, from where an interrupted training with the same settings and data has
/// stopped, and writes it. Prints and writes the losses after each epoch. True when it is done,
/// false when `is_stopped` has said so after a batch. Error: a file cannot be written, or the state
/// that an earlier training left cannot be used.
[[nodiscard]] Result<bool> run_training(const TrainingOrder& order, const Dataset& data,
                                        TrainingMonitor& monitor);

}  // namespace defiance
