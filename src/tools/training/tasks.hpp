#pragma once

#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// What `defiance selfplay` does without a task: plays games and writes their records.
[[nodiscard]] ExitCode play_selfplay(const Arguments& arguments);

/// What `defiance selfplay <task>` does; the task is the first word. `plan` prints jobs that play
/// and merge; the others work with files of self-play.
[[nodiscard]] ExitCode plan_selfplay(const Arguments& arguments);
[[nodiscard]] ExitCode describe_selfplay(const Arguments& arguments);
[[nodiscard]] ExitCode dump_selfplay(const Arguments& arguments);
[[nodiscard]] ExitCode merge_selfplay(const Arguments& arguments);
[[nodiscard]] ExitCode rescore_selfplay(const Arguments& arguments);

}  // namespace defiance
