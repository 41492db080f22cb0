#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tools/http/server.hpp>
#include <tools/posdb/move_scorer.hpp>
#include <tools/posdb/service.hpp>
#include <tools/store/position_store.hpp>
#include <tools/support/arguments.hpp>

namespace defiance {

/// The options of `defiance serve`.
[[nodiscard]] std::span<const Option> serve_syntax_options();

/// What they say about the service; makes the folder and the secret where there are none. Error:
/// what is wrong.
[[nodiscard]] Result<ServiceOptions> service_options_given(const Arguments& arguments);
[[nodiscard]] Result<HttpServerOptions> http_options_given(const Arguments& arguments);

/// Where a browser on this machine finds a server that listens at these addresses.
[[nodiscard]] std::string url_of_server(const std::vector<std::string>& addresses,
                                        std::uint16_t port);

/// When the store at a place has to be on the disk, by --durability.
[[nodiscard]] Result<Durability> durability_given(const Arguments& arguments,
                                                  const std::string& place);

/// The most seconds for a move.
inline constexpr int max_leaf_seconds = 30;

/// How long each move is searched, by --leaf and --nodes, and all moves of a position together, so
/// that they are scored before its lease runs out. Error: no time at all.
[[nodiscard]] Result<ScoringEffort> effort_given(const Arguments& arguments);

/// How many threads score positions, by --workers, on a machine with so many processors.
[[nodiscard]] int workers_given(const Arguments& arguments, int processors);

/// Opens the endgame databases of all games: those built in and those in a folder, if it is named.
[[nodiscard]] GameEndgames open_game_endgames(const std::string& folder);

/// The same with the folder of --egdb. `warn` is called with a line about each database there that
/// cannot be used, or when there is none. Error: there is no such folder.
[[nodiscard]] Result<GameEndgames> endgames_given(
    const Arguments& arguments, const std::function<void(const std::string&)>& warn);

}  // namespace defiance
