#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/file.hpp>
#include <defiance/base/result.hpp>
#include <tools/match/referee.hpp>

namespace defiance {

/// A finished game as the journal keeps it: everything that the statistics need.
struct JournalEntry {
    std::size_t number = 0;       ///< of the game in its competition, from 1
    GameRecord record;            ///< without comments and detail
    std::uint64_t pdn_bytes = 0;  ///< size of the PDN file after this game
};

/// The finished games of a competition in a file: a line for what is played, then one for each
/// game. Each line is written in one piece when its game is over, so that at any moment the program
/// may be killed; half a line at the end is cut off when the file is opened again. Two programs
/// that write the same file would destroy it, so each holds a lock, in a file beside it.
class Journal {
public:
    /// Without a file nothing is stored.
    Journal() = default;

    /// Opens or begins the file. `settings` says in one line what is played, `pdn_bytes` how large
    /// the PDN file is before the first game. At `games_place` the line of a file that is there may
    /// have ` --games N` besides, of any number. Error: the file is not one of these, is damaged,
    /// is of a competition with other settings, or another object has it open, in any program.
    static Result<Journal> open(const std::string& path, const std::string& settings,
                                std::uint64_t pdn_bytes,
                                std::optional<std::size_t> games_place = std::nullopt);

    /// The games read from the file.
    [[nodiscard]] const std::map<std::size_t, JournalEntry>& entries() const { return entries_; }
    /// Size of the PDN file after the last of them, or before the first.
    [[nodiscard]] std::uint64_t pdn_bytes() const { return pdn_bytes_; }
    /// True when the file was there already.
    [[nodiscard]] bool is_resumed() const { return is_resumed_; }

    /// Waits until the disk has the game, whose PDN must be there before: after a power failure the
    /// PDN file has all games of the journal and at most one more. False when the file cannot be
    /// written.
    [[nodiscard]] bool add(const JournalEntry& entry);

private:
    [[nodiscard]] std::optional<Error> read(std::string_view text, const std::string& settings,
                                            std::optional<std::size_t> games_place);

    std::optional<LockFile> lock_;
    std::optional<AppendFile> file_;
    std::map<std::size_t, JournalEntry> entries_;
    std::uint64_t pdn_bytes_ = 0;
    bool is_resumed_ = false;
};

}  // namespace defiance
