#pragma once

#include <defiance/engine/time.hpp>

namespace defiance {

/// What CheckerBoard asks for with the parameters maxtime, info and moreinfo of getmove:
///  - bits 2 and 3 of info (1 to 3: units of 0.001, 0.01, 0.1 s): a clock with increment; the upper
///    half of moreinfo is what remains, the lower half the increment;
///  - bit 1 of info: maxtime seconds exactly; otherwise maxtime seconds on the average;
///  - maxtime of a million seconds or more: until the user wants the move;
///  - maxtime of zero, below, or no number: at once.
[[nodiscard]] TimeControl read_time(double maxtime, int info, int moreinfo);

}  // namespace defiance
