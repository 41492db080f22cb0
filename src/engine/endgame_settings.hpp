#pragma once

#include <chrono>

#include <defiance/egdb/endgames.hpp>
#include <defiance/engine/endgame_keeper.hpp>

// What those have in common that open endgame databases and those that describe folders of them.
namespace defiance {

/// Where the databases are that the options of the user ask for.
[[nodiscard]] EndgameSettings settings_for(const EndgameOptions& options);

/// How long a reply may wait for a background task; the whole reply should take at most 50 ms.
inline constexpr std::chrono::milliseconds user_patience{35};

}  // namespace defiance
