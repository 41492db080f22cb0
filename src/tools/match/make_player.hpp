#pragma once

#include <memory>
#include <string>

#include <defiance/base/result.hpp>
#include <tools/match/player.hpp>
#include <tools/match/player_spec.hpp>

namespace defiance {

/// Where an engine file runs: in the folder that was given for it, else in its usual_folder().
[[nodiscard]] std::string folder_of_engine(const PlayerSpec& spec);

/// Makes the player that the specification describes. Error: a file that is not there, or that no
/// program here can load.
[[nodiscard]] Result<std::unique_ptr<Player>> make_player(const PlayerSpec& spec,
                                                          const GameRules& rules,
                                                          const PlayerContext& context);

}  // namespace defiance
