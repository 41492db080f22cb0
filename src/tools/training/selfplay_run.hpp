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
    std::atomic<std::uint64_t> games_found = 0;  ///< in the file, which an earlier call has left
    std::atomic<std::uint64_t> records_found = 0;
    std::atomic<std::uint64_t> games_played = 0;  ///< by this call
    std::atomic<std::uint64_t> records_played = 0;
    std::atomic<bool> is_playing = false;  ///< the file is read, and the first game has begun
    std::atomic<bool> must_stop = false;

    [[nodiscard]] std::uint64_t games() const { return games_found + games_played; }
    [[nodiscard]] std::uint64_t records() const { return records_found + records_played; }
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
