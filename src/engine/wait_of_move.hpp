#pragma once

#include <defiance/base/clock.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/engine/file_wait.hpp>

namespace defiance {

/// The wait of a move that begins with the stopwatch, both of which must live as long. It tells the
/// GUI why nothing happens once the user may wonder.
[[nodiscard]] FileWait wait_of_move(const TimeControl& time, EngineObserver& observer,
                                    const Stopwatch& stopwatch);

}  // namespace defiance
