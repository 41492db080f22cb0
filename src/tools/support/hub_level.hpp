#pragma once

#include <cstdint>
#include <optional>

#include <defiance/engine/time.hpp>
#include <tools/support/hub_line.hpp>

namespace defiance {

/// What limits a search, as `level` lines of the Hub protocol tell it.
struct HubLevel {
    int depth = 0;            ///< 0: no limit
    std::uint64_t nodes = 0;  ///< 0: no limit
    std::optional<TimeControl> time;
};

/// Adds what a line says to the level. A time below zero counts as none: programs that subtract the
/// increment of this move send one when the clock is low. False when a value cannot be read; then
/// the others count, and make_short() is called.
[[nodiscard]] bool read_hub_level(const HubLine& line, HubLevel& level);

/// Gives a level without a time a short one, for a time that was sent and is not known.
void make_short(HubLevel& level);

}  // namespace defiance
