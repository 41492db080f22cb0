#pragma once

#include <defiance/search/score.hpp>

namespace defiance {

/// How long the engine may think about one move.
enum class Pace {
    at_once,    ///< any legal move, immediately
    average,    ///< `seconds` a move on the average of a game; a hard move may take more
    exact,      ///< `seconds`, no less and no more
    increment,  ///< `remaining` on the clock, of which `increment` was added for this move
    deadline,   ///< up to `seconds`, less when nothing is left to find
    endless,    ///< until the GUI interrupts
    unlimited   ///< until the search has nothing more to do (a depth or node limit ends it)
};

/// All in seconds.
struct TimeControl {
    Pace pace = Pace::at_once;
    double seconds = 0;
    double remaining = 0;
    double increment = 0;
    double saved =
        0;  ///< average: what earlier moves of the game left over, or overdrew if negative
};

/// How the last iteration of a search compares with the one before.
struct IterationChange {
    Score loss = 0;            ///< by how much the score fell, in 1/100 man
    bool is_new_move = false;  ///< another move is best
};

/// Decides when the search for one move ends. Knows no clock: it is told the seconds since the
/// start.
class TimeKeeper {
public:
    /// `pieces` on the board tell how many moves a clock must still serve.
    TimeKeeper(const TimeControl& control, int pieces);

    /// True when the move must be played now.
    [[nodiscard]] bool is_up(double elapsed) const { return elapsed >= stop_at_; }

    /// True when another iteration is worth beginning. After a change for the worse, and less so
    /// after a new best move, it may begin later and last longer.
    [[nodiscard]] bool may_go_deeper(double elapsed, const IterationChange& change);

    /// True when the GUI expects the move at a set moment and not before.
    [[nodiscard]] bool must_wait() const { return waits_; }
    /// Seconds until the time is up; 0 when it is.
    [[nodiscard]] double left(double elapsed) const;

private:
    void spend_about(double target, double max_seconds);

    // In seconds after the start; infinite for no limit.
    double begin_until_ = 0;  // no iteration begins after this, in a quiet search
    double soft_stop_ = 0;    // one under way is broken off, in a quiet search
    double hard_stop_ = 0;    // the same in any search
    double stop_at_ = 0;      // the one that counts for the iteration under way
    bool waits_ = false;
};

/// What a side has left over of its average time: quick moves, such as forced ones, save for
/// later ones.
///
/// CheckerBoard's engine matches do the same sum themselves: they give another time for every move,
/// and punish who takes more. So only moves in a row that are given the same time count.
class TimeCredit {
public:
    /// For TimeControl::saved of a move that is given `seconds`.
    [[nodiscard]] double saved(double seconds) const { return seconds == given_ ? saved_ : 0; }
    /// A move that was given `given` seconds on the average took `used`.
    void spend(double given, double used);

private:
    double given_ = 0;
    double saved_ = 0;
};

}  // namespace defiance
