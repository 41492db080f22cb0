#include <algorithm>

#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>

#include <tools/check/finding.hpp>
#include <tools/check/judge.hpp>
#include <tools/check/positions.hpp>

namespace defiance {
namespace {

constexpr double think_seconds = 1;
constexpr double longest_wait = 0.5;

/// Asks while the engine thinks, as CheckerBoard's window does on another thread.
Finding check_questions(CheckedEngine& engine) {
    const auto game = engine.kind()->begin(thoughtful_position(*engine.kind()));
    const MoveOrder order{think_seconds, 0, 0, {}, {}};
    if (auto problem = engine.begin_move(*game, order)) return broken(*problem);
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
    if (!moved) return broken({moved.error()});
    if (const auto finding = find_move_fault(*game, *moved)) return *finding;
    if (longest > longest_wait)
        return fault("'" + slowest + "' waits " + fixed(longest, 3) + " s for the end of a move",
                     "CheckerBoard's window is frozen meanwhile");
    return pass("answered within " + fixed(longest, 3) + " s while it thinks");
}

}  // namespace

std::vector<Check> thread_checks() {
    return {{"questions while it thinks", check_questions, true}};
}

}  // namespace defiance
