#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace defiance {

/// What the console tool tells its caller when it ends.
enum ExitCode : int {
    exit_done = 0,        ///< the work is done and the answer, if there is one, is yes
    exit_no = 1,          ///< the work is done and a check failed
    exit_wrong_input = 2  ///< wrong usage, or input that cannot be used
};

/// Writes one line to standard output. In one piece, so that lines of several threads stay whole.
inline void print_line(std::string_view line) {
    const std::string text = std::string(line) + '\n';
    std::fwrite(text.data(), 1, text.size(), stdout);
}

/// The same to standard error: progress and diagnostics.
inline void print_note(std::string_view line) {
    const std::string text = std::string(line) + '\n';
    std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Prints one line to standard error that tells what is wrong and where; for `return fail(...)`.
[[nodiscard]] inline ExitCode fail(std::string_view problem) {
    print_note("defiance: " + std::string(problem));
    return exit_wrong_input;
}

}  // namespace defiance
