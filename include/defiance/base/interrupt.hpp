#pragma once

namespace defiance {

/// From now on Ctrl-C does not end the program but is remembered; a second one ends it. A request
/// to end it politely (SIGTERM) is taken the same way.
void catch_interrupts();

/// True once the user has pressed Ctrl-C. May be asked from any thread.
[[nodiscard]] bool is_interrupted();

}  // namespace defiance
