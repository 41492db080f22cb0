#pragma once

#include <defiance/base/clock.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// How long the engine may think about one move.
enum class Pace {
    at_once,    ///< any legal move, immediately
    average,    ///< `seconds` a move on the average of a game; a hard move may take more
    exact,      ///< `seconds`, no less and no more
    increment,  ///< `remaining` on the clock, of which `increment` was added for this move
    deadline,   ///< up to `seconds`, less when nothing is left to find
    endless,    ///< until the host interrupts
    unlimited   ///< until the search has nothing more to do (a depth or node limit ends it)
};

struct TimeControl {
    Pace pace = Pace::at_once;
    double seconds = 0;
    double remaining = 0;
    double increment = 0;
};

/// Decides when a search ends. The clock runs from the making of the object.
class TimeKeeper {
public:
    explicit TimeKeeper(const TimeControl& control);

    [[nodiscard]] double elapsed() const { return stopwatch_.seconds(); }

    /// True when the move must be played now.
    [[nodiscard]] bool time_is_up() const { return elapsed() >= stop_at_; }

    /// True when another iteration is worth beginning. A score that has just fallen by `loss`
    /// (1/100 man) gets more time.
    [[nodiscard]] bool may_go_deeper(Score loss) const;

    /// True when the host expects the move at a set moment and not before.
    [[nodiscard]] bool must_wait() const { return waits_; }
    /// Seconds until the time is up; 0 when it is.
    [[nodiscard]] double left() const;

private:
    Stopwatch stopwatch_;
    double stop_at_ = 0;      // seconds after the start; infinite for endless
    double begin_until_ = 0;  // no new iteration after this
    bool waits_ = false;
};

}  // namespace defiance
