#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/training/records.hpp>

namespace defiance {

/// Positions to learn from, and those of other games to test what was learned.
struct Dataset {
    std::vector<TrainingRecord> training;
    std::vector<TrainingRecord> holdout;
    std::uint64_t games = 0;          ///< in both together
    std::uint64_t holdout_games = 0;  ///< those of them that are held out
    std::uint64_t fingerprint = 0;    ///< of all records in their order
    int unfinished_files = 0;         ///< that end before their last game

    /// Files the next record of a file. Whole games go to one side or the other, by chance and
    /// `seed`; `holdout_share` is 0 to 1. False when it is no position that can be learned from.
    [[nodiscard]] bool add(const TrainingRecord& record, bool is_first_of_file,
                           double holdout_share, std::uint64_t seed);

private:
    bool is_held_out_ = false;  // the game that is being added
};

/// How the positions are divided.
struct DatasetSettings {
    std::string game;  ///< as GameRules::file_word
    double holdout_share = 0.02;
    std::uint64_t seed = 1;
};

/// Reads files of records into memory. Error: a file cannot be read, is damaged, or is of another
/// game; or there is nothing to learn from.
[[nodiscard]] Result<Dataset> read_dataset(const std::vector<std::string>& files,
                                           const DatasetSettings& settings);

}  // namespace defiance
