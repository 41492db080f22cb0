#pragma once

#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance::gui {

/// Plays one game of the engine against itself as CheckerBoard does and shows it. exit_done when
/// the game ended by the rules.
[[nodiscard]] ExitCode play(const Arguments& arguments);

/// Nodes a second in the middle game, of one engine or of two in turn.
[[nodiscard]] ExitCode speed(const Arguments& arguments);

/// How fast the engine loads, obeys playnow and keeps its time.
[[nodiscard]] ExitCode latency(const Arguments& arguments);

/// Games of the engine against itself in which every answer is checked: legal, in time, described
/// rightly. Goes on where an earlier run was cut short.
[[nodiscard]] ExitCode selfplay(const Arguments& arguments);

/// Won endings of the databases, played by the engine of a game against a defender that knows them:
/// `endings GAME COUNT SECONDS SEED`. A win must come within its distance, or where that is unknown
/// before the law ends the game; one that the law spoils whatever is played does not count. exit_no
/// when one was not won.
[[nodiscard]] ExitCode endings(const Arguments& arguments);

}  // namespace defiance::gui
