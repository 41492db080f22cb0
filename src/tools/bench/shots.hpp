#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <defiance/engine/game_core.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// A position in which one move wins, or one of two: a search of 3,000 nodes does not see two men
/// in it, and one of 6 million nodes without pruning proves a win with at most 25 plies for a move
/// that is listed, and for none that is not.
struct Shot {
    std::string_view fen;
    std::string_view moves;  ///< those that win, with a blank between
};

/// The shots of a game, the same for every version: those are compared by them.
[[nodiscard]] std::span<const Shot> shots_of(const GameRules& rules);

/// How shots are searched.
struct ShotLimits {
    double seconds = 2;                ///< for each
    std::uint64_t nodes = UINT64_MAX;  ///< for each
    bool solve = false;                ///< without pruning, as the engine option
};

/// A shot is found once a move of it is the best one, for two men or more, and stays it.
inline constexpr Score min_shot_score = 600;

/// Searches all shots of a game, prints how many nodes each takes to be found, and then how many
/// were found and the geometric mean of those nodes. One thread, 64 MB, built-in databases.
void measure_shots(const GameCore& core, const ShotLimits& limits);

}  // namespace defiance
