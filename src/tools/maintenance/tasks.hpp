#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/store/position_store.hpp>
#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// What `defiance store <task>` does. Each is defined in the file of its name in
/// src/tools/maintenance, but merge in load.cpp.
[[nodiscard]] ExitCode describe_store(const Arguments& arguments);
[[nodiscard]] ExitCode verify_store(const Arguments& arguments);
[[nodiscard]] ExitCode compact_store(const Arguments& arguments);
[[nodiscard]] ExitCode dump_store(const Arguments& arguments);
[[nodiscard]] ExitCode load_store(const Arguments& arguments);
[[nodiscard]] ExitCode merge_stores(const Arguments& arguments);

/// The place of the store that --dir or --store names. Error: neither or both do, or --store names
/// no server.
[[nodiscard]] Result<std::string> store_place_given(const Arguments& arguments);

/// The same, a folder with a store in it. Error: it is none, or a server.
[[nodiscard]] Result<std::string> store_folder_given(const Arguments& arguments);

/// The games to work on: that of --game, or all. Error: that game is not built in.
[[nodiscard]] Result<std::vector<const GameCore*>> store_games_given(const Arguments& arguments);

/// Why there is no store at the place; nothing for a server or a folder with one.
[[nodiscard]] std::optional<Error> find_no_store(const std::string& place);

/// Opens the store at a place; what is not right with it is told to the user. In a folder it first
/// takes up the updates that the making of a book has left beside the store when it was killed.
[[nodiscard]] Result<std::unique_ptr<PositionStore>> open_store_at(const std::string& place);

inline constexpr double megabyte = 1e6;

/// Tells every few seconds how far a task is and, if it is known how much there is to do, how long
/// the rest will take.
class TaskProgress {
public:
    /// `what` is counted, up to `all` or an unknown number (0); one is shown for `unit` of them.
    TaskProgress(std::string what, std::uint64_t all, double unit = 1)
        : what_(std::move(what)), all_(all), unit_(unit) {}

    void note(std::uint64_t done);

private:
    const std::string what_;
    const std::uint64_t all_;
    const double unit_;
    Stopwatch stopwatch_;
    double next_ = 2;
};

}  // namespace defiance
