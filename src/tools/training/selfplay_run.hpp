#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/training/selfplay_file.hpp>

namespace defiance {

/// How far a run is, for those who watch it from another thread, and whether it shall stop.
struct SelfplayProgress {
    std::atomic<std::uint64_t> games = 0;    ///< played or found in the file
    std::atomic<std::uint64_t> records = 0;  ///< the same
    std::atomic<std::uint64_t> games_found = 0;
    std::atomic<std::uint64_t> records_found = 0;
    std::atomic<bool> must_stop = false;
};

/// Plays the games of the settings that the file does not hold yet and appends them block by block,
/// whatever number of threads in the order of the blocks. A block that was written survives the end
/// of this program by any cause; half a block at the end of the file is played again.
///
/// True when all games are in the file, false when it was stopped before. Error, naming the file:
/// it is of other settings or damaged, or cannot be written.
Result<bool> run_selfplay(const SelfplaySettings& settings, const std::string& path, int threads,
                          const EndgameSettings& databases, SelfplayProgress& progress);

}  // namespace defiance
