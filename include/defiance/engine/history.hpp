#pragma once

#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/game.hpp>

namespace defiance {

/// Reads a game's recent history: a FEN, then moves separated by white space, each legal in its
/// position. Any length is accepted; the time taken is in proportion to it. Error: what is wrong.
[[nodiscard]] Result<Game> parse_history(const GameRules& rules, std::string_view text);

}  // namespace defiance
