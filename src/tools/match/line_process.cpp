#include <tools/match/line_process.hpp>

#include <algorithm>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>

namespace defiance {
namespace {

constexpr double look_seconds = 0.1;
/// How long a program may take to end after it has closed its output.
constexpr double end_seconds = 5;

}  // namespace

Result<LineProcess> LineProcess::start(const std::vector<std::string>& words,
                                       const std::string& folder, LineSink printed) {
    Result<LoggedProcess> process = LoggedProcess::start(words, folder, std::move(printed));
    if (!process) return Error{process.error()};
    return LineProcess(*std::move(process));
}

bool LineProcess::write(std::string_view text, double seconds) {
    DEFIANCE_ASSERT(text.ends_with('\n'));
    return process_->write(text, seconds);
}

LineProcess::Reading LineProcess::read_line(std::string& line, std::size_t longest, double seconds,
                                            const std::atomic<bool>& is_abandoned) {
    const Stopwatch stopwatch;
    for (;;) {
        const std::size_t end = unread_.find('\n');
        std::size_t length = std::min(end, unread_.size());
        // A CR that no line feed has followed yet may be the first half of the line end.
        if (length != 0 && unread_[length - 1] == '\r') --length;
        if (length > longest) return Reading::too_long;
        if (end != std::string::npos) {
            line = unread_.substr(0, length);
            unread_.erase(0, end + 1);
            return Reading::line;
        }
        const double left = seconds - stopwatch.seconds();
        if (is_abandoned) return Reading::abandoned;
        if (left <= 0) return Reading::too_late;
        switch (process_->read(unread_, std::min(look_seconds, left))) {
            case Process::Read::data:
                break;
            case Process::Read::closed:
                return take_rest(line, length, left, is_abandoned);
            case Process::Read::too_late:
                // A child of it may keep the pipe open; what the program itself wrote counts.
                if (has_ended() && process_->read(unread_, 0) != Process::Read::data)
                    return take_rest(line, length, 0, is_abandoned);
        }
    }
}

/// Takes what was written without a line end before the output ended, as a line of this length, if
/// the program ends as it should, soon and within `seconds`. One that crashes may have written half
/// a line.
LineProcess::Reading LineProcess::take_rest(std::string& line, std::size_t length, double seconds,
                                            const std::atomic<bool>& is_abandoned) {
    DEFIANCE_ASSERT(length <= unread_.size());
    if (unread_.empty()) return Reading::closed;
    const Stopwatch stopwatch;
    std::optional<int> status;
    while (!status) {
        const double left = std::min(seconds, end_seconds) - stopwatch.seconds();
        status = process_->wait(std::clamp(left, 0.0, look_seconds));
        if (status) break;
        if (is_abandoned) return Reading::abandoned;
        if (left <= 0) return seconds < end_seconds ? Reading::too_late : Reading::closed;
    }
    if (*status != 0) return Reading::closed;
    line = std::exchange(unread_, {}).substr(0, length);
    return Reading::line;
}

const std::string& LineProcess::unread() {
    if (unread_.empty()) static_cast<void>(process_->read(unread_, 0));
    return unread_;
}

bool LineProcess::has_ended() {
    return process_->wait(0).has_value();
}

void LineProcess::finish(double seconds) {
    DEFIANCE_ASSERT(seconds >= 0);
    process_->close_input();
    const Stopwatch stopwatch;
    // Its remaining output is discarded, so that a full pipe does not keep it from ending.
    std::string rest;
    while (!has_ended() && stopwatch.seconds() < seconds) {
        rest.clear();
        if (process_->read(rest, 0.01) == Process::Read::closed) break;
    }
    static_cast<void>(process_->wait(std::max(0.0, seconds - stopwatch.seconds())));
}

}  // namespace defiance
