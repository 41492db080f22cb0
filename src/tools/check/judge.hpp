#pragma once

#include <optional>

#include <tools/check/finding.hpp>

namespace defiance {

/// What is wrong with the answer to getmove in this position, its CBmove apart; or nothing.
[[nodiscard]] std::optional<Finding> find_move_fault(const MatchGame& game,
                                                     const EngineProcess::Moved& moved);

/// Asks for a move and judges it. Nothing when it is right.
[[nodiscard]] std::optional<Finding> find_move_fault(CheckedEngine& engine, const MatchGame& game,
                                                     const MoveOrder& order);

}  // namespace defiance
