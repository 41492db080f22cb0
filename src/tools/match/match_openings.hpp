#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/match/player_spec.hpp>
#include <tools/support/arguments.hpp>
#include <tools/support/openings.hpp>

namespace defiance {

/// The openings that --openings, --order and --seed choose, in the order in which pairs of games of
/// a competition use them; `pairs` is how many of them are played
/// before the first comes again, if there are so many. Error: what is wrong with which option.
[[nodiscard]] Result<NamedOpenings> read_match_openings(const Arguments& arguments,
                                                        const GameRules& rules,
                                                        const std::vector<PlayerSpec>& players,
                                                        std::size_t pairs);

}  // namespace defiance
