#include <defiance/engine/time.hpp>

#include <algorithm>
#include <limits>

#include <defiance/base/assert.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

// An iteration takes about as long as all before it together. With iterations that begin before the
// first part of the target and stop after the second, moves take the target on average.
constexpr double begin_part = 0.8;
constexpr double soft_stop_part = 1.4;

// A search whose score drops may take this many times its target.
constexpr Score clear_loss = score_of_man * 3 / 10;
constexpr double clear_loss_patience = 2.0;
constexpr Score slight_loss = score_of_man / 8;
constexpr double slight_loss_patience = 1.5;
constexpr double new_move_patience = 1.25;

// A move that most nodes lie below is clear, and is played sooner. docs/strength.md ("Time") has
// what that gains.
constexpr double usual_share = IterationChange{}.best_share;
constexpr double patience_by_share = 1.5;
constexpr double max_share_patience = 1.8;

// No move takes more than this many times its time: with average time, and on a clock.
constexpr double max_overshoot = 2.0;
constexpr double max_clock_overshoot = 2.5;

// Saved time is spent within a few moves, but after many forced moves not all at once.
constexpr double saved_share = 0.5;
constexpr double min_target = 0.4;
constexpr double max_target = 1.75;
// A wait shorter than this part of the time of a move is none: every search begins a little late.
constexpr double min_wait_part = 0.05;
constexpr double max_saved_moves = 6;
constexpr double max_overdrawn_moves = 3;
/// More seconds than this beyond the longest time for a move are not thinking.
constexpr double min_sleep = 10;

// A move of exact time is returned this many seconds early.
constexpr double exact_margin = 0.005;

// Moves that a clock must last for: about 30 in a game until the databases know the rest of it, and
// fewer for each piece that is gone.
constexpr double moves_of_game = 30;
constexpr double moves_per_piece_gone = 1.4;
constexpr double min_moves_to_go = 6;
// A clock without increment must also last for a long ending.
constexpr double min_moves_to_go_without_increment = 16;
// Reserve on a clock, because a busy machine may stall for so long.
constexpr double clock_reserve = 0.2;
constexpr double min_spare_part = 0.5;
// Delay between the clock of the GUI and ours.
constexpr double clock_margin = 0.010;
// No move takes a larger part of the remaining time.
constexpr double max_clock_part = 0.35;
constexpr double increment_part = 0.95;
// An increment worth thinking for is never wholly saved: a clock that is down to it is filled again
// by the rest of it. Delays outside of the engine may use up a shorter one.
constexpr double min_increment_part = 0.25;
constexpr double min_increment_to_spend = 1;

/// What a move should take on a clock.
double clock_target(const TimeControl& control, int pieces) {
    const double bank = std::max(0.0, control.remaining - control.increment);
    const double moves_to_go =
        std::max(control.increment > 0 ? min_moves_to_go : min_moves_to_go_without_increment,
                 moves_of_game - moves_per_piece_gone * (max_pieces_on_board - pieces));
    const double spare = std::max(bank - clock_reserve, bank * min_spare_part);
    // A part of the increment refills a reserve that has been used.
    const double increment_share = increment_part * std::min(1.0, bank / clock_reserve);
    const double target = control.increment * increment_share + spare / moves_to_go;
    if (control.increment < min_increment_to_spend) return target;
    return std::max(target, control.increment * min_increment_part);
}

}  // namespace

TimeManager::TimeManager(const TimeControl& control, int pieces) {
    DEFIANCE_ASSERT(pieces >= 0 && pieces <= 32);
    switch (control.mode) {
        case TimeMode::at_once:
            break;
        case TimeMode::average:
            spend_about(std::clamp(control.seconds + control.saved * saved_share,
                                   control.seconds * min_target, control.seconds * max_target),
                        control.seconds * max_overshoot);
            break;
        case TimeMode::exact:
            hard_stop_ = std::max(control.seconds - exact_margin, control.seconds / 2);
            begin_until_ = forever;
            waits_ = true;
            break;
        case TimeMode::deadline:
            hard_stop_ = control.seconds;
            begin_until_ = forever;
            break;
        case TimeMode::increment: {
            const double max_seconds =
                std::max(0.0, control.remaining * max_clock_part - clock_margin);
            const double target = std::min(clock_target(control, pieces), max_seconds);
            spend_about(target, std::min(target * max_clock_overshoot, max_seconds));
            break;
        }
        case TimeMode::infinite:
            hard_stop_ = forever;
            begin_until_ = forever;
            waits_ = true;
            break;
        case TimeMode::unlimited:
            hard_stop_ = forever;
            begin_until_ = forever;
            break;
    }
    make_up_for(control);
    if (soft_stop_ == 0) soft_stop_ = hard_stop_;
    heeds_share_ = begin_until_ < forever;
    stop_at_ = std::max(soft_stop_, min_soft_stop_);
    DEFIANCE_ASSERT(stop_at_ >= 0 && stop_at_ <= hard_stop_);
}

void TimeManager::spend_about(double target, double max_seconds) {
    DEFIANCE_ASSERT(target >= 0 && target <= max_seconds);
    begin_until_ = target * begin_part;
    soft_stop_ = std::min(target * soft_stop_part, max_seconds);
    hard_stop_ = max_seconds;
}

/// Leaves the search some time after a wait for databases.
void TimeManager::make_up_for(const TimeControl& control) {
    double target = 0;
    if (control.mode == TimeMode::average) target = control.seconds;
    // An exact time that can still be kept is kept.
    if (control.mode == TimeMode::exact && control.waited >= hard_stop_) target = control.seconds;
    if (control.mode == TimeMode::increment)
        target = std::min(begin_until_ / begin_part, control.remaining - control.waited);
    if (control.waited <= target * min_wait_part || target <= 0) return;
    const double end = control.waited + target * min_target;
    hard_stop_ = std::max(hard_stop_, end);
    if (control.mode == TimeMode::exact) return;
    min_soft_stop_ = end;
    min_begin_until_ = control.waited + target * min_target * begin_part;
}

bool TimeManager::may_go_deeper(double elapsed, const IterationChange& change) {
    DEFIANCE_ASSERT(elapsed >= 0);
    DEFIANCE_ASSERT(change.best_share >= 0 && change.best_share <= 1);
    double patience = change.loss >= clear_loss    ? clear_loss_patience
                      : change.loss >= slight_loss ? slight_loss_patience
                      : change.is_new_move         ? new_move_patience
                                                   : 1.0;
    if (heeds_share_)
        patience *=
            std::min(1 - patience_by_share * (change.best_share - usual_share), max_share_patience);
    stop_at_ = std::min(std::max(soft_stop_ * patience, min_soft_stop_), hard_stop_);
    DEFIANCE_ASSERT(stop_at_ <= hard_stop_);
    return elapsed < std::min(std::max(begin_until_ * patience, min_begin_until_), stop_at_);
}

double TimeManager::left(double elapsed) const {
    return std::max(0.0, stop_at_ - elapsed);
}

void TimeCredit::spend(double given, double used) {
    DEFIANCE_ASSERT(given >= 0 && used >= 0);
    if (given != given_) saved_ = 0;
    given_ = given;
    // The computer has slept: no search thinks so far beyond its time.
    if (used > given * max_overshoot + min_sleep) used = given;
    saved_ =
        std::clamp(saved_ + given - used, -max_overdrawn_moves * given, max_saved_moves * given);
}

}  // namespace defiance
