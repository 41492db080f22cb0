#pragma once

#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// What `defiance selfplay` does without a task: plays games and writes their records.
[[nodiscard]] ExitCode play_selfplay(const Arguments& arguments);

}  // namespace defiance
