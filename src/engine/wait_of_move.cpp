#include "wait_of_move.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace defiance {
namespace {

/// How long a move waits for its book and the user's evaluation, in seconds: a disk may have to
/// begin to turn first.
double file_patience(const TimeControl& time) {
    constexpr double longest = 3;
    constexpr double shortest = 0.05;
    constexpr double clock_part = 0.25;
    constexpr double move_part = 0.5;
    switch (time.mode) {
        case TimeMode::increment:
            return std::clamp(time.remaining * clock_part, shortest, longest);
        case TimeMode::exact:
        case TimeMode::deadline:
            return std::clamp(time.seconds * move_part, shortest, longest);
        case TimeMode::average:
            return std::clamp(time.seconds, 1.0, longest);
        case TimeMode::at_once:
            return shortest;
        case TimeMode::infinite:
        case TimeMode::unlimited:
            return longest;
    }
    return longest;
}

/// How long a move waits for endgame databases: more than a slow disk needs for them, less than one
/// of the network that is off. Then it is searched without them, and a later move has them.
double endgame_patience(const TimeControl& time) {
    constexpr double longest = 20;
    constexpr double shortest = 0.05;
    constexpr double clock_part = 0.25;
    switch (time.mode) {
        case TimeMode::increment:
            return std::clamp(time.remaining * clock_part, shortest, longest);
        case TimeMode::exact:
        case TimeMode::deadline:
        case TimeMode::average:
            return std::max(time.seconds, longest);
        case TimeMode::at_once:
            return longest;
        case TimeMode::infinite:
        case TimeMode::unlimited:
            break;
    }
    return std::numeric_limits<double>::infinity();
}

}  // namespace

FileWait wait_of_move(const TimeControl& time, EngineObserver& observer,
                      const Stopwatch& stopwatch) {
    constexpr double unnoticed = 0.2;
    const auto is_interrupted = [&observer, &stopwatch,
                                 told = std::string_view()](std::string_view what) mutable {
        if (what != told && stopwatch.seconds() >= unnoticed) observer.show_wait(told = what);
        return observer.interrupted();
    };
    return {is_interrupted, file_patience(time), endgame_patience(time)};
}

}  // namespace defiance
