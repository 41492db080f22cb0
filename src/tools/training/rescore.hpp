#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/training/records.hpp>
#include <tools/training/selfplay_file.hpp>

namespace defiance {

/// What a rescoring has seen and done.
struct RescoreCounts {
    std::uint64_t records = 0;
    std::uint64_t known = 0;    ///< positions that the databases know
    std::uint64_t changed = 0;  ///< records that have another result now
    bool is_complete = true;    ///< false for a file of self-play that was interrupted
};

/// A position that is known to be won scores at least this; a man is worth some 300.
inline constexpr Score min_rescored_win = 1000;

/// Plies from one record to a later one of the same game, 1 to max_plies_between, by playing all
/// moves from the first. Nothing when there are more, or it takes too many positions to tell.
inline constexpr int max_plies_between = 8;
[[nodiscard]] std::optional<int> plies_between(const GameRules& rules, const TrainingRecord& from,
                                               const TrainingRecord& to);

/// Gives the records of each game the results that the databases know, from the last record
/// backwards: a known position has its own, and those before it have that of the next known one.
/// What comes after the last known one keeps its result, and so does what comes before a gap in
/// which plies_between() finds no way. A known position scores 0 when it is drawn and at least
/// min_rescored_win when it is won. How games ended is left as it was.
[[nodiscard]] RescoreCounts rescore(SelfplayBlock& block, const EndgameDatabases& endgames);

/// Writes a file of self-play as another one, rescored; its header tells the pieces of the
/// databases. Nothing when the output is there already and complete. Error, naming the file: the
/// input is damaged or rescored by databases as large, the output has other content or cannot be
/// written; it is then as it was.
[[nodiscard]] Result<std::optional<RescoreCounts>> rescore_file(const std::string& output,
                                                                const std::string& input,
                                                                const EndgameDatabases& endgames);

}  // namespace defiance
