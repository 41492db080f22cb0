#pragma once

#include <cstdint>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// One jump of a capture: the square of the piece taken and the square landed on, as indices.
struct Jump {
    std::uint8_t captured;
    std::uint8_t landing;
    [[nodiscard]] constexpr bool operator==(const Jump&) const = default;
};

/// The jumps of a capture in the order they are made; empty for a quiet move.
using Path = std::vector<Jump>;

/// All paths of a legal move of the position; a quiet move has one empty path. The landing squares
/// of a flying king make different paths; the one right behind the captured piece comes first. The
/// order is fixed, and at most 1000 paths are given.
[[nodiscard]] std::vector<Path> paths_of(const GameRules& rules, const Position& position,
                                         const Move& move);

/// The first of these paths, which is empty for a quiet move. The move must be legal.
[[nodiscard]] Path path_of(const GameRules& rules, const Position& position, const Move& move);

}  // namespace defiance
