#pragma once

#include <functional>

namespace defiance {

/// Runs `task` once on another thread, `seconds` from now at the earliest (0: at once), and returns
/// without waiting. Pins the module first (pin_module), so the code of a task is never unloaded.
///
/// A task is never joined: it must share ownership of everything it uses, and may be stopped
/// anywhere when the process ends. Its exceptions are ignored. False: no thread or no
/// memory is available and the task will not run.
///
/// On Windows a timer of the process's thread pool runs it, elsewhere a thread of its own. That
/// thread asks `is_wanted`, if there is one, now and then while it waits, and ends without the task
/// once it is false.
[[nodiscard]] bool run_in_background(std::function<void()> task, double seconds = 0,
                                     std::function<bool()> is_wanted = {});

}  // namespace defiance
