#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// A program started by this one; its standard input and output lead here, and its standard error
/// where it is told when it starts. Ctrl-C does not reach it. With the object end the program
/// and all it has started; on Windows 7 the program alone, where this one runs in a job of its own
/// that it may not leave. The end waits for nothing that outlives it.
///
/// One object serves one thread at a time; read_errors alone may be called on another one
/// meanwhile.
class Process {
public:
    enum class Read {
        data,     ///< something was appended
        closed,   ///< the program writes no more, and all it wrote has been read
        too_late  ///< nothing came in time
    };

    /// Where the standard error of a program leads.
    enum class Errors {
        shared,    ///< where ours does
        collected  ///< here, to be taken with read_errors; who does not stops it some time
    };

    /// Starts words[0], which may be a path or the name of a program in the system's search path,
    /// with the other words as its arguments, in the folder, or in this program's when that is
    /// empty. Error: why it could not be started.
    static Result<Process> start(const std::vector<std::string>& words,
                                 const std::string& folder = {}, Errors errors = Errors::shared);

    Process(Process&&) noexcept;
    Process& operator=(Process&&) noexcept;
    ~Process();

    /// Sends the text. False when the program does not read any more, or not within `seconds`; a
    /// part of the text may then have been sent.
    [[nodiscard]] bool write(std::string_view text, double seconds);

    /// Appends what has come, 64 KiB at most; waits up to `seconds` for the first of it.
    [[nodiscard]] Read read(std::string& text, double seconds);

    /// The same for what it writes to standard error; `closed` unless that is collected.
    [[nodiscard]] Read read_errors(std::string& text, double seconds);

    /// Lets the program read the end of its input.
    void close_input();

    /// Waits up to `seconds` for the program to end. Its exit status, 128 and more when it was
    /// killed or crashed; nothing while it still runs.
    [[nodiscard]] std::optional<int> wait(double seconds);

    /// Bytes of main memory that the program holds, on Linux with all it has started; 0 when that
    /// cannot be found out.
    [[nodiscard]] std::uint64_t resident_bytes() const;

    /// Ends the program and all that it has started.
    void kill();

private:
    struct Handles;
    explicit Process(std::unique_ptr<Handles> handles);

    std::unique_ptr<Handles> handles_;
};

}  // namespace defiance
