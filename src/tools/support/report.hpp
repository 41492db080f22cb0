#pragma once

#include <string_view>

namespace defiance {

/// What the console tool tells its caller when it ends.
enum ExitCode : int {
    exit_done = 0,        ///< the work is done and the answer, if there is one, is yes
    exit_no = 1,          ///< the work is done and a check failed
    exit_wrong_input = 2  ///< wrong usage, or input that cannot be used
};

/// Writes one line to standard output.
void print_line(std::string_view line);

/// Writes one line to standard error: progress and diagnostics.
void print_note(std::string_view line);

/// Says in one line on standard error what is wrong and where; for `return fail(...)`.
[[nodiscard]] ExitCode fail(std::string_view problem);

}  // namespace defiance
