#include <tools/match/clock.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include <defiance/base/assert.hpp>
#include <defiance/cb/api.hpp>

namespace defiance {
namespace {

constexpr double usual_move_limit = 60;
/// For a player that ends its thinking by itself; below what CheckerBoard means by "infinite".
constexpr double ample_seconds = 100'000;

/// Moves for which CheckerBoard has the time on a clock last (its function for the legacy time of
/// an incremental clock): the more increments the clock holds at the start, the more.
double moves_to_go(double initial, double increment) {
    if (increment == 0) return 11;
    const double ratio = initial / increment;
    if (ratio >= 50) return 10;
    if (ratio >= 20) return 9;
    if (ratio >= 10) return 7;
    return ratio >= 5 ? 5 : 4;
}

double legacy_seconds(double remaining, double initial, double increment) {
    DEFIANCE_ASSERT(remaining >= 0 && increment >= 0);
    if (remaining < 0.4 * increment) return 0.4 * increment;
    if (remaining <= increment) return remaining;
    return std::min(remaining, increment + remaining / moves_to_go(initial, increment));
}

/// Puts the clock into the bits of getmove, in the finest unit that holds it.
void pack_clock(double remaining, double increment, Allowance& allowance) {
    constexpr long most = 65535;
    constexpr int coarsest = std::size(cb_clock_units) - 1;
    const double clamped = std::clamp(remaining, 0.005, most * cb_clock_units[coarsest]);
    int unit = 1;
    while (unit < coarsest && std::max(clamped, increment) / cb_clock_units[unit] > most)
        ++unit;
    DEFIANCE_ASSERT(unit >= 1 && unit <= coarsest);
    const auto in_units = [&](double seconds) {
        return static_cast<std::uint32_t>(
            std::min(std::lround(seconds / cb_clock_units[unit]), most));
    };
    allowance.info = unit << cb_clock_shift;
    allowance.more_info = static_cast<int>(in_units(clamped) << 16 | in_units(increment));
}

}  // namespace

PlayerClock::PlayerClock(const TimeSettings& settings, double factor)
    : settings_(settings), moves_left_(settings.moves) {
    DEFIANCE_ASSERT(factor > 0 && settings.seconds >= 0 && settings.increment >= 0);
    DEFIANCE_ASSERT(settings.moves >= 0);
    settings_.seconds *= factor;
    settings_.increment *= factor;
    if (settings_.kind == TimeSettings::Kind::increment) clock_ = settings_.seconds;
}

double PlayerClock::move_limit() const {
    return settings_.move_limit.value_or(settings_.kind == TimeSettings::Kind::unlimited
                                             ? usual_move_limit
                                             : std::max(usual_move_limit, 5 * settings_.seconds));
}

Allowance PlayerClock::allow_bank() {
    const double t = settings_.seconds;
    clock_ += t;
    Allowance allowance;
    allowance.seconds = std::max(clock_, 0.4 * t);
    if (clock_ > t) allowance.seconds = t + (clock_ - t) / 2.5;
    allowance.limit = move_limit();
    return allowance;
}

Allowance PlayerClock::allow_increment() {
    clock_ += settings_.increment;
    Allowance allowance;
    allowance.seconds = legacy_seconds(clock_, settings_.seconds, settings_.increment);
    pack_clock(clock_, settings_.increment, allowance);
    allowance.remaining = clock_;
    allowance.increment = settings_.increment;
    allowance.moves_left = moves_left_;
    allowance.limit =
        std::min(clock_, settings_.move_limit.value_or(std::numeric_limits<double>::infinity()));
    return allowance;
}

Allowance PlayerClock::allow() {
    Allowance allowance;
    switch (settings_.kind) {
        case TimeSettings::Kind::average:
            allowance = allow_bank();
            break;
        case TimeSettings::Kind::exact:
            allowance = {settings_.seconds, cb_exact_time, 0,
                         std::min(settings_.seconds, settings_.move_limit.value_or(1e9)), 0};
            break;
        case TimeSettings::Kind::increment:
            allowance = allow_increment();
            break;
        case TimeSettings::Kind::unlimited:
            allowance = {ample_seconds, 0, 0, move_limit(), 0};
            break;
    }
    allowance.kind = settings_.kind;
    allowance.margin = settings_.margin;
    allowance.limit += settings_.margin + (has_moved_ ? 0 : settings_.startup);
    limit_ = allowance.limit;
    DEFIANCE_ASSERT(allowance.seconds >= 0 && limit_ >= 0);
    return allowance;
}

/// Subtracts the time of a move and adds that for the next ones when it is due.
void PlayerClock::charge(double seconds) {
    clock_ -= seconds;
    if (settings_.kind == TimeSettings::Kind::average && !has_moved_)
        clock_ = std::max(clock_, -settings_.seconds);
    if (settings_.kind != TimeSettings::Kind::increment) return;
    // Time beyond the clock that the startup allowance and the margin cover is not charged.
    clock_ = std::max(clock_, 0.0);
    if (moves_left_ == 0 || --moves_left_ != 0) return;
    clock_ += settings_.seconds;
    moves_left_ = settings_.moves;
}

bool PlayerClock::spend(double seconds) {
    DEFIANCE_ASSERT(seconds >= 0);
    const bool is_in_time = seconds <= limit_;
    charge(seconds);
    has_moved_ = true;
    return is_in_time;
}

}  // namespace defiance
