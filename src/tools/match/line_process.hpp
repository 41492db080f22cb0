#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tools/match/engine_log.hpp>

namespace defiance {

/// A program that answers in lines on its standard output. The process is killed with the object.
/// Serves one thread.
class LineProcess {
public:
    enum class Reading { line, too_long, too_late, closed, abandoned };

    /// As LoggedProcess::start.
    static Result<LineProcess> start(const std::vector<std::string>& words,
                                     const std::string& folder, LineSink printed);

    /// Sends the text; see Process::write.
    [[nodiscard]] bool write(std::string_view text, double seconds);

    /// Waits up to `seconds` for a line and stores it without its end, LF or CR LF. The last line
    /// of a program that ends with status 0 may lack that; half a line before a crash does not
    /// count. `too_long`: it has more than `longest` bytes without its end. `closed`: the program
    /// has ended, or it has closed its output, and all lines have been read. `is_abandoned` is
    /// looked at from time to time.
    [[nodiscard]] Reading read_line(std::string& line, std::size_t longest, double seconds,
                                    const std::atomic<bool>& is_abandoned);

    /// What it has written and no read_line has taken, as far as that is known without waiting.
    [[nodiscard]] const std::string& unread();
    /// Forgets that.
    void drop_unread() { unread_.clear(); }

    /// True when the process has ended.
    [[nodiscard]] bool has_ended();
    /// Resident memory in bytes; 0 when unknown.
    [[nodiscard]] std::uint64_t resident_bytes() const { return process_->resident_bytes(); }

    /// Closes its input and gives it `seconds` to end by itself.
    void finish(double seconds);

private:
    explicit LineProcess(LoggedProcess process) : process_(std::move(process)) {}
    [[nodiscard]] Reading take_rest(std::string& line, std::size_t length, double seconds,
                                    const std::atomic<bool>& is_abandoned);

    LoggedProcess process_;
    std::string unread_;
};

}  // namespace defiance
