#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// Keeps Windows from asking the user when this program, or one that it starts from now on, crashes
/// or lacks a file: until somebody answers, that program would not end. Other systems never ask.
void forbid_error_dialogs();

/// A child process with its standard input and output as pipes to this one. Ctrl-C does not reach
/// it. The destructor kills the child and all processes it has started (only the child itself where
/// Windows 7 allows no job of its own for it) and waits for no process that survives.
///
/// For one thread at a time, but read_errors may be called on another thread meanwhile.
class Process {
public:
    enum class Read {
        data,     ///< something was appended
        closed,   ///< end of the output: all of it has been read
        too_late  ///< nothing came in time
    };

    /// Where the standard error of the child goes.
    enum class Errors {
        shared,    ///< to the standard error of this program
        collected  ///< to read_errors, which must be called or the child blocks when the pipe is
                   ///< full
    };

    /// Starts words[0], a path or the name of a program in the search path, with the other words as
    /// arguments, in `folder` (empty: the current folder). A relative path begins at the current
    /// folder of this program, not at `folder`. Error: why it could not be started.
    static Result<Process> start(const std::vector<std::string>& words,
                                 const std::string& folder = {}, Errors errors = Errors::shared);

    Process(Process&&) noexcept;
    Process& operator=(Process&&) noexcept;
    ~Process();

    /// Sends the text. False when the child has closed its input or does not read it within
    /// `seconds`; part of the text may then have been sent.
    [[nodiscard]] bool write(std::string_view text, double seconds);

    /// Appends available output, at most 64 KiB; waits up to `seconds` for the first byte.
    [[nodiscard]] Read read(std::string& text, double seconds);

    /// The same for standard error; `closed` unless it is collected.
    [[nodiscard]] Read read_errors(std::string& text, double seconds);

    /// Closes the input of the child, which then reads end of file.
    void close_input();

    /// Waits up to `seconds` for the child to end. Its exit status, 128 or more when it was killed
    /// or crashed; nothing while it still runs.
    [[nodiscard]] std::optional<int> wait(double seconds);

    /// Resident memory of the child in bytes, on Linux including its own children; 0 when unknown.
    [[nodiscard]] std::uint64_t resident_bytes() const;

    /// Kills the child and all processes it has started.
    void kill();

private:
    struct Handles;
    explicit Process(std::unique_ptr<Handles> handles);

    std::unique_ptr<Handles> handles_;
};

}  // namespace defiance
