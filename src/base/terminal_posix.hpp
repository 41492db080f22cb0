#pragma once

#ifndef _WIN32

#include <sys/types.h>

namespace defiance {

/// Makes this process group the one in the foreground again where a child's, which has ended, still
/// is: else Ctrl-C would reach nobody. Does nothing without a terminal.
void take_terminal_back_from(pid_t group);

}  // namespace defiance

#endif
