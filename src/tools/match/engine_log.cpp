#include <tools/match/engine_log.hpp>

#include <atomic>
#include <exception>
#include <thread>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/other_file.hpp>
#include <tools/support/text_file.hpp>

namespace defiance {
namespace {

constexpr std::size_t max_line = 1000;
/// Of one player, before its name is known.
constexpr std::size_t max_waiting_lines = 10'000;
/// How often the reading thread checks whether it is still needed.
constexpr double log_poll_seconds = 1;
/// Milliseconds that it waits when there is no memory for what it reads.
constexpr int pause_without_memory = 100;
/// How long it reads what is left once the process is over. A program that the process has left
/// behind may write for ever.
constexpr double most_log_seconds = 1;

/// Cuts text that comes in pieces into lines, for the sink. Too long ones are cut off. Once it is
/// made it throws nothing: a line for which there is no memory is lost, not the match.
class LineCutter {
public:
    explicit LineCutter(LineSink sink) : sink_(std::move(sink)) { line_.reserve(max_line); }

    void add(std::string_view text) {
        for (const char c : text) {
            if (c == '\n')
                end_line();
            else if (line_.size() < max_line)
                line_ += c;
        }
    }
    void end_line() {
        if (line_.ends_with('\r')) line_.pop_back();
        try {
            if (!line_.empty()) sink_(line_);
        } catch (const std::exception&) {
        }
        line_.clear();
    }

private:
    LineSink sink_;
    std::string line_;
};

}  // namespace

struct LoggedProcess::State {
    State(Process started, LineSink sink) : process(std::move(started)) {
        if (!sink) return;
        reader = std::thread([this, lines = LineCutter(std::move(sink))]() mutable {
            read_lines(lines);
            lines.end_line();
        });
    }
    ~State() {
        is_over = true;
        process.kill();
        if (reader.joinable()) reader.join();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void read_lines(LineCutter& lines) {
        std::optional<Stopwatch> since_end;
        std::string text;
        for (;;) {
            text.clear();
            Process::Read outcome = Process::Read::data;
            try {
                outcome = process.read_errors(text, log_poll_seconds);
            } catch (const std::exception&) {
                sleep_milliseconds(pause_without_memory);
            }
            lines.add(text);
            if (outcome == Process::Read::closed) return;
            if (!is_over) continue;
            if (outcome == Process::Read::too_late) return;
            if (!since_end) since_end.emplace();
            if (since_end->seconds() >= most_log_seconds) return;
        }
    }

    Process process;
    std::atomic<bool> is_over = false;
    std::thread reader;
};

LoggedProcess::LoggedProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoggedProcess::LoggedProcess(LoggedProcess&&) noexcept = default;
LoggedProcess& LoggedProcess::operator=(LoggedProcess&&) noexcept = default;
LoggedProcess::~LoggedProcess() = default;

Result<LoggedProcess> LoggedProcess::start(const std::vector<std::string>& words,
                                           const std::string& folder, LineSink sink) {
    using Errors = Process::Errors;
    Result<Process> process =
        Process::start(words, folder, sink ? Errors::collected : Errors::shared);
    if (!process) return Error{process.error()};
    return LoggedProcess(std::make_unique<State>(*std::move(process), std::move(sink)));
}

Process* LoggedProcess::operator->() const {
    DEFIANCE_ASSERT(state_ != nullptr);
    return &state_->process;
}

std::optional<Error> EngineLog::open(const std::string& path) {
    const auto is_log = [](std::string_view begin) {
        return is_text(begin) && first_line_of(begin).find(": ") != std::string_view::npos;
    };
    if (auto error = find_other_file(path, is_log, Writing::behind)) return error;
    Result<AppendFile> file = AppendFile::open(path);
    if (!file) return Error{file.error()};
    const std::lock_guard lock(mutex_);
    file_.emplace(*std::move(file));
    return std::nullopt;
}

void EngineLog::set_names(const std::vector<std::string>& names) {
    const std::lock_guard lock(mutex_);
    DEFIANCE_ASSERT(names.size() == players_.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        players_[i].name = names[i];
        for (const std::string& line : std::exchange(players_[i].waiting, {}))
            write(names[i], line);
    }
}

LineSink EngineLog::sink_of(std::size_t player) {
    DEFIANCE_ASSERT(player < players_.size());
    return [this, player](std::string_view line) { add(player, line); };
}

std::string EngineLog::last_line(std::size_t player) const {
    DEFIANCE_ASSERT(player < players_.size());
    const std::lock_guard lock(mutex_);
    return players_[player].last;
}

void EngineLog::add(std::size_t player, std::string_view line) {
    DEFIANCE_ASSERT(player < players_.size());
    const std::string text = shown(line, max_line);
    const std::lock_guard lock(mutex_);
    PlayerLines& lines = players_[player];
    lines.last = text;
    if (!lines.name.empty())
        write(lines.name, text);
    else if (file_ && lines.waiting.size() < max_waiting_lines)
        lines.waiting.push_back(text);
}

void EngineLog::write(const std::string& name, const std::string& line) {
    // A full disk must not end the match.
    if (file_) static_cast<void>(file_->append(name + ": " + line + '\n'));
}

}  // namespace defiance
