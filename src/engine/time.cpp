#include <defiance/engine/time.hpp>

#include <algorithm>
#include <limits>

namespace defiance {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

// No iteration is begun after this part of the time: some end before it is over and some after, and
// over a game the mean then comes out near the time given.
constexpr double begin_part = 0.7;
// A move in trouble may take this many times the time given.
constexpr double overshoot = 2.0;
// An exact move is meant to be back this long before its moment.
constexpr double exact_margin = 0.005;
// Moves for which the time on a clock with increment should last.
constexpr double moves_to_go = 20;
// Lost between the clock of the host and ours.
constexpr double clock_margin = 0.010;

}  // namespace

TimeKeeper::TimeKeeper(const TimeControl& control) {
    switch (control.pace) {
        case Pace::at_once:
            break;
        case Pace::average:
            stop_at_ = control.seconds * overshoot;
            begin_until_ = control.seconds * begin_part;
            break;
        case Pace::exact:
            stop_at_ = std::max(control.seconds - exact_margin, control.seconds / 2);
            begin_until_ = forever;
            waits_ = true;
            break;
        case Pace::deadline:
            stop_at_ = control.seconds;
            begin_until_ = forever;
            break;
        case Pace::increment: {
            const double bank = std::max(0.0, control.remaining - control.increment);
            const double most = std::max(0.0, control.remaining * 0.8 - clock_margin);
            const double target = std::min(control.increment * 0.9 + bank / moves_to_go, most);
            stop_at_ = std::min(target * overshoot, most);
            begin_until_ = target * begin_part;
            break;
        }
        case Pace::endless:
            stop_at_ = forever;
            begin_until_ = forever;
            waits_ = true;
            break;
        case Pace::unlimited:
            stop_at_ = forever;
            begin_until_ = forever;
            break;
    }
}

bool TimeKeeper::may_go_deeper(Score loss) const {
    const double patience = loss >= 30 ? 2.0 : loss >= 12 ? 1.5 : 1.0;
    return elapsed() < std::min(begin_until_ * patience, stop_at_);
}

double TimeKeeper::left() const {
    return std::max(0.0, stop_at_ - elapsed());
}

}  // namespace defiance
