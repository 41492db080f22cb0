#ifndef _WIN32

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>

#include "terminal_posix.hpp"

extern char** environ;

namespace defiance {
namespace {

constexpr std::size_t max_at_once = 64 * 1024;

/// A file descriptor that closes itself.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int number() const { return number_; }
    void reset(int number) {
        close();
        number_ = number;
    }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }
    [[nodiscard]] int release() { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

struct Pipe {
    Descriptor out;
    Descriptor in;

    /// Close-on-exec, so that no other child inherits it.
    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        out.reset(ends[0]);
        in.reset(ends[1]);
        return true;
    }
};

/// What posix_spawn does in the child before it runs the program.
class SpawnSetup {
public:
    SpawnSetup() {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnSetup() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSetup(const SpawnSetup&) = delete;
    SpawnSetup& operator=(const SpawnSetup&) = delete;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

/// The program as it is found after the child has gone to another folder. A name without a folder
/// is looked for in the search path.
std::string program_from_root(const std::string& word) {
    return folder_of(word).empty() ? word : full_path(word);
}

/// `error` is -1 where standard error is shared.
int spawn(const std::vector<std::string>& words, const std::string& folder, int input, int output,
          int error, pid_t& pid) {
    SpawnSetup setup;
    DEFIANCE_ASSERT(!words.empty() && input >= 0 && output >= 0);
    posix_spawn_file_actions_adddup2(&setup.actions, input, 0);
    posix_spawn_file_actions_adddup2(&setup.actions, output, 1);
    if (error >= 0) posix_spawn_file_actions_adddup2(&setup.actions, error, 2);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&setup.actions, folder.c_str());
    // A process group of its own, so that the whole group can be killed; and SIGPIPE, which this
    // program ignores, has its default action.
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    posix_spawnattr_setsigdefault(&setup.attributes, &pipe_signal);
    posix_spawnattr_setpgroup(&setup.attributes, 0);
    posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const std::string program = program_from_root(words[0]);
    if (!folder.empty()) arguments[0] = const_cast<char*>(program.c_str());
    return posix_spawnp(&pid, arguments[0], &setup.actions, &setup.attributes, arguments.data(),
                        environ);
}

/// Waits up to `seconds` until the descriptor is ready; false when it is not.
bool wait_for(int descriptor, short events, double seconds) {
    DEFIANCE_ASSERT(descriptor >= 0);
    pollfd waited{descriptor, events, 0};
    const Stopwatch stopwatch;
    for (;;) {
        const double left = std::max(0.0, seconds - stopwatch.seconds());
        const timespec limit{
            static_cast<time_t>(left),
            static_cast<long>((left - static_cast<double>(static_cast<time_t>(left))) * 1e9)};
        const int ready = ::ppoll(&waited, 1, &limit, nullptr);
        if (ready > 0) return true;
        if (ready == 0 || errno != EINTR) return false;
    }
}

/// Appends what the pipe holds and closes it at end of file.
Process::Read read_from(Descriptor& pipe, std::string& text, double seconds) {
    if (pipe.number() < 0) return Process::Read::closed;
    if (!wait_for(pipe.number(), POLLIN, seconds)) return Process::Read::too_late;
    const std::size_t before = text.size();
    text.resize(before + max_at_once);
    ssize_t count = 0;
    do {
        count = ::read(pipe.number(), text.data() + before, max_at_once);
    } while (count < 0 && errno == EINTR);
    DEFIANCE_ASSERT(count <= static_cast<ssize_t>(max_at_once));
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count > 0) return Process::Read::data;
    pipe.close();
    return Process::Read::closed;
}

std::string first_line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// The process group in /proc/N/stat: the third word after the name in parentheses.
pid_t group_of(const std::string& folder) {
    const std::string stat = first_line_of(folder + "/stat");
    std::string_view rest =
        std::string_view(stat).substr(std::min(stat.size(), stat.rfind(')') + 1));
    static_cast<void>(take_word(rest));
    static_cast<void>(take_word(rest));
    return static_cast<pid_t>(parse_integer(take_word(rest), 0, INT32_MAX).value_or(-1));
}

/// The second number in /proc/N/statm.
std::uint64_t resident_pages_of(const std::string& folder) {
    const std::string statm = first_line_of(folder + "/statm");
    std::string_view rest = statm;
    static_cast<void>(take_word(rest));
    return static_cast<std::uint64_t>(parse_integer(take_word(rest), 0, INT64_MAX).value_or(0));
}

}  // namespace

void forbid_error_dialogs() {}

struct Process::Handles {
    Descriptor input;
    Descriptor output;
    Descriptor errors;
    pid_t pid = -1;
    std::optional<int> status;
    bool is_ended = false;
    bool is_collected = false;  // the system may give its number to another process

    ~Handles() { end(); }

    void end() {
        if (pid < 0 || std::exchange(is_ended, true)) return;
        // Nobody else has its number, which is also that of its group, before it is collected.
        if (!is_collected) {
            ::kill(-pid, SIGKILL);
            ::kill(pid, SIGKILL);  // it may have left its group
            take_terminal_back_from(pid);
        }
        if (status) return collect();
        // One that waits for a dead disk does not end; nobody shall wait for it.
        constexpr double most_seconds = 2;
        const Stopwatch stopwatch;
        while (!note_status() && stopwatch.seconds() < most_seconds)
            sleep_milliseconds(1);
    }

    /// False while the child runs. Leaves it uncollected until end(), so that what it has left
    /// behind can be killed by its number.
    bool note_status() {
        DEFIANCE_ASSERT(pid > 0 && !status);
        siginfo_t info{};
        int answer = 0;
        do {
            answer = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
        } while (answer < 0 && errno == EINTR);
        if (answer == 0 && info.si_pid == 0) return false;
        // Where a program wants to know of no child that ends, the system collects it at once.
        is_collected = answer < 0;
        if (is_collected)
            status = 128 + SIGKILL;
        else
            status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
        if (is_ended) collect();
        return true;
    }

    /// Gives the number of a child that has ended back to the system.
    void collect() {
        DEFIANCE_ASSERT(status);
        if (std::exchange(is_collected, true)) return;
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
};

Process::Process(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Result<Process> Process::start(const std::vector<std::string>& words, const std::string& folder,
                               Errors errors) {
    [[maybe_unused]] static const auto ignored = std::signal(SIGPIPE, SIG_IGN);
    // Whoever ignores it, as the program that has started this one may, never learns how one ends.
    [[maybe_unused]] static const auto usual = std::signal(SIGCHLD, SIG_DFL);
    if (words.empty()) return Error{"no program is named"};
    // The system would say of the program that it does not exist.
    if (!folder.empty() && !folder_exists(folder))
        return Error{"the folder '" + shown(folder, 200) + "' does not exist"};
    Pipe input;
    Pipe output;
    Pipe error;
    if (!input.open() || !output.open() || (errors == Errors::collected && !error.open()))
        return Error{std::string("no pipe: ") + std::strerror(errno)};
    auto handles = std::make_unique<Handles>();
    const int problem = spawn(words, folder, input.out.number(), output.in.number(),
                              error.in.number(), handles->pid);
    if (problem != 0) {
        handles->pid = -1;
        return Error{"'" + shown(words[0], 200) + "' cannot be started: " + std::strerror(problem)};
    }
    handles->input.reset(input.in.release());
    handles->output.reset(output.out.release());
    handles->errors.reset(error.out.release());
    ::fcntl(handles->input.number(), F_SETFL, O_NONBLOCK);
    return Process(std::move(handles));
}

bool Process::write(std::string_view text, double seconds) {
    DEFIANCE_ASSERT(handles_ != nullptr);
    const Stopwatch stopwatch;
    while (!text.empty()) {
        const int input = handles_->input.number();
        if (input < 0 || !wait_for(input, POLLOUT, seconds - stopwatch.seconds())) return false;
        const ssize_t count = ::write(input, text.data(), text.size());
        if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
        DEFIANCE_ASSERT(count <= static_cast<ssize_t>(text.size()));
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

Process::Read Process::read(std::string& text, double seconds) {
    DEFIANCE_ASSERT(handles_ != nullptr);
    return read_from(handles_->output, text, seconds);
}

Process::Read Process::read_errors(std::string& text, double seconds) {
    return read_from(handles_->errors, text, seconds);
}

void Process::close_input() {
    handles_->input.close();
}

std::optional<int> Process::wait(double seconds) {
    DEFIANCE_ASSERT(handles_ != nullptr);
    const Stopwatch stopwatch;
    while (!handles_->status && !handles_->note_status()) {
        if (stopwatch.seconds() >= seconds) return std::nullopt;
        sleep_milliseconds(1);
    }
    return handles_->status;
}

std::uint64_t Process::resident_bytes() const {
    std::uint64_t pages = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string folder = entry.path().string();
        if (is_digit(entry.path().filename().string()[0]) && group_of(folder) == handles_->pid)
            pages += resident_pages_of(folder);
    }
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void Process::kill() {
    DEFIANCE_ASSERT(handles_ != nullptr);
    handles_->end();
}

}  // namespace defiance

#endif
