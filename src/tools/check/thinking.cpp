#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>

#include <tools/check/finding.hpp>
#include <tools/check/positions.hpp>

namespace defiance {
namespace {

/// CheckerBoard's level "infinite".
constexpr double endless_seconds = 8'600'000;
constexpr double good_seconds = 0.2;
/// After which CheckerBoard goes on without an answer.
constexpr double max_seconds = 1;

/// Raises playnow after some seconds of an endless search.
Finding check_after(CheckedEngine& engine, double after) {
    DEFIANCE_ASSERT(after >= 0);
    const CbGame game(*engine.rules(), unforced_position(*engine.rules()));
    const auto moved = engine.move(game, {endless_seconds, 0, 0, after, {}});
    const std::string why =
        "CheckerBoard stands still for 1 s and then goes on while the engine still thinks";
    if (!moved) return fault(moved.error(), why);
    const double late = moved->seconds - after;
    const std::string seen = "a move " + fixed(late, 3) + " s after it";
    if (late >= max_seconds) return fault(seen, why);
    if (const auto finding = find_move_fault(game, *moved)) return *finding;
    if (late < 0) return note("it moved before playnow was raised");
    return late > good_seconds ? note(seen + "; that can be felt") : pass(seen);
}

constexpr double think_seconds = 1;
constexpr double longest_wait = 0.5;

/// Asks while the engine thinks, as CheckerBoard's window does on another thread.
Finding check_questions(CheckedEngine& engine) {
    const CbGame game(*engine.rules(), unforced_position(*engine.rules()));
    const MoveOrder order{think_seconds, 0, 0, {}, {}};
    if (auto problem = engine.begin_move(game, order)) return broken(*problem);
    double longest = 0;
    std::string slowest;
    for (const char* command : {"name", "get hashsize", "about", "get gametype"}) {
        const Stopwatch stopwatch;
        const auto reply = engine.command(command);
        if (!reply) return broken({reply.error() + ", while it thought about a move"});
        if (stopwatch.seconds() > longest) slowest = command;
        longest = std::max(longest, stopwatch.seconds());
    }
    const auto moved = engine.end_move(order);
    DEFIANCE_ASSERT(longest >= 0);
    if (!moved) return broken({moved.error()});
    if (const auto finding = find_move_fault(game, *moved)) return *finding;
    if (longest > longest_wait)
        return fault("'" + slowest + "' waits " + fixed(longest, 3) + " s for the end of a move",
                     "CheckerBoard's window is frozen meanwhile");
    return pass("answered within " + fixed(longest, 3) + " s while it thinks");
}

}  // namespace

std::vector<Check> play_now_checks() {
    return {
        {"playnow after 0.3 s", [](CheckedEngine& engine) { return check_after(engine, 0.3); },
         true},
        {"playnow at once", [](CheckedEngine& engine) { return check_after(engine, 0); }, true}};
}

std::vector<Check> thread_checks() {
    return {{"questions while it thinks", check_questions, true}};
}

}  // namespace defiance
