#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/maintenance/line_source.hpp>
#include <tools/posdb/bulk_addition.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

// Positions as text: for each game a line `game english 30` with the number of its positions, then
// a position_line() for each. Empty lines and those that begin with # do not count, nor does a byte
// order mark at the beginning.

/// Called with how much of a work is done, and of how much; ends the work with false.
using GoOn = std::function<bool(std::uint64_t done, std::uint64_t all)>;

struct DumpCounts {
    std::uint64_t positions = 0;  ///< that were written
    std::uint64_t damaged = 0;    ///< that could not be, because their value makes no sense
};

/// Gives the lines of a game to `write`, which returns false when it cannot take one: those nearest
/// to the start of the game first, of one ply by their keys. Nothing is written for a game without
/// positions. Error: of the store, or the text cannot be written, or `go_on` has ended it.
[[nodiscard]] Result<DumpCounts> dump_positions(const GameCore& core, PositionStore& store,
                                                const std::function<bool(std::string_view)>& write,
                                                const GoOn& go_on);

/// Positions of all games on their way into a store.
class StoreAddition {
public:
    /// Keeps a reference.
    explicit StoreAddition(PositionStore& store) : store_(store) {}

    [[nodiscard]] BulkAddition& of(const GameCore& core);

    /// Makes the scores minimax values and waits for the disk. False when it was ended.
    [[nodiscard]] Result<bool> finish(const GoOn& go_on);

    [[nodiscard]] std::uint64_t added() const;
    [[nodiscard]] std::uint64_t changed() const;

private:
    PositionStore& store_;
    std::array<std::unique_ptr<BulkAddition>, store_game_names.size()> games_;
};

/// Reads lines of dump_positions() into a store. A line that is none is told and passed over.
class DumpReader {
public:
    /// With `only` the positions of other games are passed over, and lines before the first that
    /// names a game are of this one.
    DumpReader(StoreAddition& addition, const GameCore* only)
        : addition_(addition), only_(only), game_(only) {}

    /// fault(number of the line, what is wrong)
    using Fault = std::function<void(std::uint64_t, const std::string&)>;

    /// Reads to the end. False when `go_on`, which is called with bytes, has ended it. Error: of
    /// the store, or the lines cannot be read.
    [[nodiscard]] Result<bool> read(LineSource& lines, const Fault& fault, const GoOn& go_on);

private:
    [[nodiscard]] std::optional<Error> read_line(LineSource::Outcome outcome, std::string_view line,
                                                 std::uint64_t number, const Fault& fault);
    void begin_game(std::string_view words, std::uint64_t number, const Fault& fault);
    void end_game(std::uint64_t number, const Fault& fault);

    StoreAddition& addition_;
    const GameCore* only_;
    const GameCore* game_;
    bool is_game_unknown_ = false;
    std::optional<std::uint64_t> promised_;  ///< positions of the game, when its line tells
    std::uint64_t seen_ = 0;                 ///< lines of positions since then
};

}  // namespace defiance
