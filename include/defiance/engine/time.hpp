#pragma once

#include <defiance/search/score.hpp>

namespace defiance {

/// How the thinking time of a move is given.
enum class TimeMode {
    at_once,    ///< a move of the book, or of a search of depth 1 as soon as databases are open
    average,    ///< `seconds` per move on average; a hard move may take more
    exact,      ///< `seconds`: a search ends a few milliseconds before they are over
    increment,  ///< `remaining` seconds on the clock, `increment` of them added for this move
    deadline,   ///< up to `seconds`, less when nothing is left to find
    infinite,   ///< until the GUI interrupts
    unlimited   ///< until the search has nothing more to do (a depth or node limit ends it)
};

/// What a move is given, all in seconds. Name the fields where it is made: which of them count
/// depends on the mode.
struct TimeControl {
    TimeMode mode = TimeMode::at_once;
    double seconds = 0;    ///< of average, exact and deadline
    double remaining = 0;  ///< of increment: on the clock, `increment` included
    double increment = 0;  ///< of increment
    /// Of average: saved by earlier moves of the game; negative: overdrawn. An Engine fills it in.
    double saved = 0;
    /// Of every mode: the user wants to know, not to play. With infinite it is always so.
    bool is_analysis = false;
    /// Of average, exact and increment; an Engine fills it in. Gone before the search could begin,
    /// mostly because databases were being opened. Where little is left of the time, the search
    /// gets a part of its usual time all the same, because a move after an iteration or two would
    /// cost more; an exact time is exceeded only when it is over already, and `deadline` never.
    double waited = 0;
};

/// How the last iteration of a search compares with the one before.
struct IterationChange {
    Score loss = 0;            ///< by how much the score fell
    bool is_new_move = false;  ///< another move is best
    /// The part of the nodes of the last iteration that lie below the best move, 0 to 1. The larger
    /// it is, the less do the other moves matter. The default changes nothing.
    double best_share = 0.7;
};

/// Decides when the search for one move ends. It reads no clock: callers pass the seconds since the
/// start.
class TimeManager {
public:
    /// The number of `pieces` on the board estimates the moves that a clock must last for.
    TimeManager(const TimeControl& control, int pieces);

    /// True when the move must be played now.
    [[nodiscard]] bool is_up(double elapsed) const { return elapsed >= stop_at_; }

    /// True when another iteration should begin. After a drop of the score, and less so after a new
    /// best move, it may begin later and last longer, also when the best move has a small share of
    /// the nodes; with a large one the time ends sooner, except where the GUI sets its end.
    [[nodiscard]] bool may_go_deeper(double elapsed, const IterationChange& change);

    /// True when the GUI expects the move at a set moment and not before.
    [[nodiscard]] bool must_wait() const { return waits_; }
    /// Seconds until the time is up; 0 when it is.
    [[nodiscard]] double left(double elapsed) const;

private:
    void spend_about(double target, double max_seconds);
    void make_up_for(const TimeControl& control);

    // In seconds after the start; infinite for no limit.
    double begin_until_ = 0;  // no iteration begins later, in a stable search
    double soft_stop_ = 0;    // an iteration is stopped, in a stable search
    double hard_stop_ = 0;    // an iteration is stopped, in any search
    double stop_at_ = 0;      // when the current iteration is stopped
    // After a wait, what the first two are at least, whatever the patience.
    double min_begin_until_ = 0;
    double min_soft_stop_ = 0;
    bool waits_ = false;
    bool heeds_share_ = false;  // whether a clear move is played sooner
};

/// The unused time of a side: quick moves, such as forced ones, save time for later ones.
///
/// CheckerBoard's engine matches keep such an account themselves: they give a different time for
/// every move and penalise engines that exceed it. So only consecutive moves with the same time
/// count.
class TimeCredit {
public:
    /// For TimeControl::saved of a move that is given `seconds`.
    [[nodiscard]] double saved(double seconds) const { return seconds == given_ ? saved_ : 0; }
    /// A move that was given `given` seconds on the average took `used`. What the computer slept
    /// meanwhile is not charged.
    void spend(double given, double used);

private:
    double given_ = 0;
    double saved_ = 0;
};

}  // namespace defiance
