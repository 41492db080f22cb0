#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/result.hpp>

namespace defiance {

/// Takes a line that a program prints besides its answers, without its end. Called on any thread.
using LineSink = std::function<void(std::string_view)>;

/// A process whose standard error a thread of its own reads, line by line, for the sink. The thread
/// ends with the object, after all that the process has printed is read; what others print that it
/// has left behind is read for a second or two.
class LoggedProcess {
public:
    /// As Process::start. Without a sink standard error goes where ours does.
    static Result<LoggedProcess> start(const std::vector<std::string>& words,
                                       const std::string& folder, LineSink sink);

    LoggedProcess(LoggedProcess&&) noexcept;
    LoggedProcess& operator=(LoggedProcess&&) noexcept;
    ~LoggedProcess();

    [[nodiscard]] Process* operator->() const;

private:
    struct State;
    explicit LoggedProcess(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

/// What the players of a match print besides their answers, in a file: each line with the name of
/// the player before it. Lines that come before the names are known wait for them. All functions
/// may be called from several threads.
class EngineLog {
public:
    /// Without a file only the last line of each player is kept.
    explicit EngineLog(std::size_t players) : players_(players) {}

    /// Appends to this file from now on. Error: it cannot be opened.
    [[nodiscard]] std::optional<Error> open(const std::string& path);
    /// Tells the names, which come before the lines.
    void set_names(const std::vector<std::string>& names);

    /// What takes the lines of a player; must not outlive the log.
    [[nodiscard]] LineSink sink_of(std::size_t player);
    /// The last line that a player has printed; empty when there is none.
    [[nodiscard]] std::string last_line(std::size_t player) const;

private:
    struct PlayerLines {
        std::string name;
        std::vector<std::string> waiting;
        std::string last;
    };

    void add(std::size_t player, std::string_view line);
    void write(const std::string& name, const std::string& line);

    mutable std::mutex mutex_;
    std::optional<AppendFile> file_;
    std::vector<PlayerLines> players_;
};

}  // namespace defiance
