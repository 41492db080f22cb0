#pragma once

#include <string>

#include <defiance/engine/game_core.hpp>

namespace defiance {

/// Advice in plain words for the side to move: one line below 250 bytes, no quotation marks.
/// Searches for a tenth of a second with a small table of its own.
[[nodiscard]] std::string hint_for(const GameCore& core, const Position& position);

}  // namespace defiance
