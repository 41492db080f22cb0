#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/random_access_file.hpp>
#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/training/records.hpp>

namespace defiance {

// A file of self-play is a header and then blocks of 64 games; block b holds the games from 64 b
// on. All numbers are little-endian.
//
//   header  "DFSELF01", length of the text (4 bytes), text, CRC-32 of all before (4 bytes).
//           The text names the settings, one a line: `game english` and so on; the last one,
//           `rescored 7`, only when there is something to tell.
//   block   "BLOK", CRC-32 of all that follows in the block, number of the block, of its games and
//           of its records (4 bytes each); for each game plies and records (2 bytes each), result
//           for the side that opened it and how it ended (1 byte each); then the records, 16 bytes
//           each: own, theirs, kings, score, result, flags.

inline constexpr std::uint64_t games_per_block = 64;
inline constexpr std::uint64_t max_selfplay_games = 100'000'000'000;
inline constexpr std::uint32_t max_shards = 1'000'000;  ///< that a file may name
/// Shards of a run that is to be merged, which has all of them open at once: systems often allow
/// 1024 open files.
inline constexpr std::uint32_t max_merged_shards = 900;
inline constexpr int max_rescored_pieces = 24;
inline constexpr std::uint64_t max_selfplay_nodes = 1'000'000'000;

/// How a game of self-play ended.
enum class SelfplayEnd : std::uint8_t {
    no_move,      ///< the side to move had no move
    repetition,   ///< drawn by the rules
    no_progress,  ///< drawn by the rules
    database,     ///< an endgame database knows the result
    decided,      ///< taken for won by its scores
    level,        ///< taken for drawn by its scores
    too_long      ///< drawn after the most plies a game may have
};
inline constexpr std::size_t selfplay_ends = 7;

/// What is kept of a game apart from its records.
struct SelfplaySummary {
    std::uint16_t plies = 0;    ///< from the start position or ballot on
    std::uint16_t records = 0;  ///< at most max_records_of_game
    std::int8_t result = 0;     ///< 1, 0 or -1, for the side that opens the game
    SelfplayEnd end = SelfplayEnd::no_move;

    [[nodiscard]] bool operator==(const SelfplaySummary&) const = default;
};
inline constexpr std::uint16_t max_records_of_game = 256;

/// All that decides what the games are, and which of them a file holds.
struct SelfplaySettings {
    std::string game;               ///< GameRules::file_word
    std::string engine;             ///< version of the program
    std::uint32_t fingerprint = 0;  ///< play_fingerprint(): evaluation and search of the program
    std::uint64_t nodes = 0;        ///< of each search
    std::uint64_t seed = 0;
    std::uint64_t games = 0;   ///< of all shards together, 1 to max_selfplay_games
    std::uint32_t shard = 0;   ///< 0 to shards - 1: the file holds the blocks b with
    std::uint32_t shards = 1;  ///< b mod shards = shard
    /// Pieces of the databases that rescore() gave the results from; 0 for those of the games.
    int rescored = 0;

    [[nodiscard]] bool operator==(const SelfplaySettings&) const = default;

    /// Blocks of all shards.
    [[nodiscard]] std::uint64_t all_blocks() const {
        return (games + games_per_block - 1) / games_per_block;
    }
    /// Blocks of this shard.
    [[nodiscard]] std::uint64_t blocks() const {
        return all_blocks() <= shard ? 0 : (all_blocks() - shard - 1) / shards + 1;
    }
    /// The number of the i-th block of this shard, counted from 0.
    [[nodiscard]] std::uint64_t block_number(std::uint64_t i) const { return shard + i * shards; }
    /// Games of the block with this number.
    [[nodiscard]] std::uint64_t games_of_block(std::uint64_t number) const;
    /// Games of the first `blocks` blocks of this shard.
    [[nodiscard]] std::uint64_t games_before(std::uint64_t blocks) const;
};

/// A block of games.
struct SelfplayBlock {
    std::uint64_t number = 0;
    std::vector<SelfplaySummary> games;
    std::vector<TrainingRecord> records;  ///< of all games, in their order
};

/// The bytes of the header and of a block.
[[nodiscard]] std::string encode(const SelfplaySettings& settings);
[[nodiscard]] std::string encode(const SelfplayBlock& block);

/// Reads a file of self-play from its beginning and checks every byte. For one thread; takes memory
/// for one block only.
class SelfplayReader {
public:
    /// Error, naming the file: it cannot be read, is of another kind or is damaged.
    static Result<SelfplayReader> open(const std::string& path);

    [[nodiscard]] const SelfplaySettings& settings() const { return settings_; }
    [[nodiscard]] const GameCore& core() const { return *core_; }

    /// Reads the next block; false after the last one. Error, naming the file: it is damaged.
    [[nodiscard]] Result<bool> next(SelfplayBlock& block);

    /// Blocks read so far.
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    /// Bytes from the beginning of the file to the end of the last block read.
    [[nodiscard]] std::uint64_t place() const { return place_; }
    /// Once next() has returned false: true when all blocks of the shard were there, and true
    /// when the file ends within a block, as it does when the program that wrote it was killed, or
    /// in zeros instead of one, as after a power failure.
    [[nodiscard]] bool is_complete() const { return blocks_ == settings_.blocks(); }
    [[nodiscard]] bool is_torn() const { return place_ != file_.size(); }

private:
    SelfplayReader(std::string path, RandomAccessFile file)
        : path_(std::move(path)), file_(std::move(file)) {}

    [[nodiscard]] std::optional<Error> read_header();
    [[nodiscard]] Error damage(const std::string& problem) const;
    [[nodiscard]] bool has_only_zeros(std::uint64_t place) const;

    std::string path_;
    RandomAccessFile file_;
    SelfplaySettings settings_;
    const GameCore* core_ = nullptr;
    std::uint64_t blocks_ = 0;
    std::uint64_t place_ = 0;
};

}  // namespace defiance
