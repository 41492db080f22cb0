#pragma once

#include <functional>

namespace defiance {

/// Runs `task` once on another thread, `seconds` from now at the earliest (0: at once), and returns
/// without waiting. Pins the module first (pin_module), so the code of a task is never unloaded.
///
/// Nobody waits for a task: it must share the ownership of all that it uses, and may be cut off
/// anywhere when the process ends. What it throws is lost. False: the system has no thread to spare
/// and the task will not run.
///
/// Windows: a timer of the thread pool of the process. Elsewhere: a thread for each task.
[[nodiscard]] bool run_in_background(std::function<void()> task, double seconds = 0);

}  // namespace defiance
