#pragma once

#include <memory>

#include <defiance/engine/game_core.hpp>
#include <tools/support/engine_calls.hpp>

namespace defiance {

/// The engine that the engine files of this game export, in this process. Its options begin at
/// their defaults and are not stored.
[[nodiscard]] std::unique_ptr<EngineCalls> make_self_engine(const GameCore& core);

}  // namespace defiance
