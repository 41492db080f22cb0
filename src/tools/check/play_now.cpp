#include <defiance/base/text.hpp>

#include <tools/check/finding.hpp>
#include <tools/check/judge.hpp>
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
    const auto game = engine.kind()->begin(thoughtful_position(*engine.kind()));
    const auto moved = engine.move(*game, {endless_seconds, 0, 0, after, {}});
    const std::string why =
        "CheckerBoard stands still for 1 s and then goes on while the engine still thinks";
    if (!moved) return fault(moved.error(), why);
    const double late = moved->seconds - after;
    const std::string seen = "a move " + fixed(late, 3) + " s after it";
    if (late >= max_seconds) return fault(seen, why);
    if (const auto finding = find_move_fault(*game, *moved)) return *finding;
    if (late < 0) return note("it moved before playnow was raised");
    return late > good_seconds ? note(seen + "; that can be felt") : pass(seen);
}

}  // namespace

std::vector<Check> play_now_checks() {
    return {
        {"playnow after 0.3 s", [](CheckedEngine& engine) { return check_after(engine, 0.3); },
         true},
        {"playnow at once", [](CheckedEngine& engine) { return check_after(engine, 0); }, true}};
}

}  // namespace defiance
