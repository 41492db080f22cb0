#pragma once

#include <functional>
#include <limits>
#include <string_view>

namespace defiance {

/// How long to wait for a file to be opened, which takes up to a minute where it lies on a drive of
/// the network that is off.
struct FileWait {
    /// True when the wait is to end. Asked every few milliseconds, with what is waited for, as in
    /// "opening endgame databases".
    std::function<bool(std::string_view what)> is_interrupted;
    /// Seconds after which to go on without a file that is not needed, such as a book.
    double patience;
    /// The same for endgame databases, which are worth a longer wait.
    double endgame_patience = std::numeric_limits<double>::infinity();
};

/// For a reply to a command, which should take 50 ms at most; `about` waits like this for two
/// files, and longer for databases.
[[nodiscard]] inline FileWait brief_wait() {
    constexpr double seconds = 0.02;
    return {[](std::string_view) { return false; }, seconds};
}

}  // namespace defiance
