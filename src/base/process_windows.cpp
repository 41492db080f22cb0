#ifdef _WIN32

#include <windows.h>
// After windows.h, which it needs.
#define PSAPI_VERSION 2  // the functions are those of KERNEL32
#include <psapi.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include <defiance/base/process.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::size_t max_at_once = 64 * 1024;
/// Exit status of a program that was killed or crashed, as on Linux.
constexpr int killed_status = 137;
/// Wine 8 sometimes, about once in 500 starts on a busy machine, fails to start a program and calls
/// that an internal error; the next attempt goes well.
constexpr int max_attempts = 5;
/// What a program may write ahead of us before it has to wait.
constexpr std::size_t max_unread = 1024 * 1024;

class Handle {
public:
    Handle() = default;
    ~Handle() { close(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    [[nodiscard]] HANDLE get() const { return handle_; }
    [[nodiscard]] explicit operator bool() const { return handle_ != nullptr; }
    void reset(HANDLE handle) {
        close();
        handle_ = handle == INVALID_HANDLE_VALUE ? nullptr : handle;
    }
    void take(Handle& other) { reset(std::exchange(other.handle_, nullptr)); }
    void close() {
        if (handle_ != nullptr) CloseHandle(handle_);
        handle_ = nullptr;
    }

private:
    HANDLE handle_ = nullptr;
};

struct Pipe {
    Handle out;
    Handle in;

    bool open() {
        HANDLE ends[2];
        if (CreatePipe(&ends[0], &ends[1], nullptr, max_at_once) == 0) return false;
        out.reset(ends[0]);
        in.reset(ends[1]);
        return true;
    }
};

/// The list of handles that a child inherits: these and no others.
class InheritedHandles {
public:
    InheritedHandles(HANDLE input, HANDLE output, HANDLE error) : handles_{input, output, error} {
        for (const HANDLE handle : handles_)
            if (handle != nullptr)
                SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
        count_ = error != nullptr && error != output ? 3 : 2;
        SIZE_T size = 0;
        InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
        memory_ = std::make_unique<std::uint8_t[]>(size);
        is_ready_ =
            InitializeProcThreadAttributeList(list(), 1, 0, &size) != 0 &&
            UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_,
                                      count_ * sizeof(HANDLE), nullptr, nullptr) != 0;
    }
    ~InheritedHandles() {
        if (is_ready_) DeleteProcThreadAttributeList(list());
    }
    InheritedHandles(const InheritedHandles&) = delete;
    InheritedHandles& operator=(const InheritedHandles&) = delete;

    [[nodiscard]] bool is_ready() const { return is_ready_; }
    [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list() const {
        return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.get());
    }

private:
    HANDLE handles_[3];
    SIZE_T count_ = 0;
    std::unique_ptr<std::uint8_t[]> memory_;
    bool is_ready_ = false;
};

/// A word as CommandLineToArgvW and the C library take it apart again.
std::string quoted(const std::string& word) {
    if (!word.empty() && word.find_first_of(" \t\"") == std::string::npos) return word;
    std::string text = "\"";
    std::size_t backslashes = 0;
    for (const char c : word) {
        if (c == '"') text.append(backslashes + 1, '\\');
        backslashes = c == '\\' ? backslashes + 1 : 0;
        text += c;
    }
    return text.append(backslashes, '\\') + '"';
}

std::wstring wide(const std::string& text) {
    const int size = static_cast<int>(text.size());
    std::wstring result(
        static_cast<std::size_t>(MultiByteToWideChar(CP_ACP, 0, text.data(), size, nullptr, 0)),
        L'\0');
    MultiByteToWideChar(CP_ACP, 0, text.data(), size, result.data(),
                        static_cast<int>(result.size()));
    return result;
}

/// What comes out of a pipe, collected by a thread, because a read of a pipe cannot be given a
/// time. The thread ends when nobody can write into the pipe any more.
class Collector {
public:
    void begin(Handle& pipe) {
        pipe_.take(pipe);
        thread_ = std::thread([this] { collect(); });
    }

    /// To be called when all that could write has been ended.
    void end() {
        {
            const std::lock_guard lock(mutex_);
            is_wanted_ = false;
        }
        has_room_.notify_all();
        if (thread_.joinable()) thread_.join();
    }

    Process::Read take(std::string& text, double seconds) {
        std::unique_lock lock(mutex_);
        const auto has_come = [this] { return !unread_.empty() || is_closed_; };
        if (!has_news_.wait_for(lock, std::chrono::duration<double>(std::max(0.0, seconds)),
                                has_come))
            return Process::Read::too_late;
        if (unread_.empty()) return Process::Read::closed;
        const std::size_t count = std::min(unread_.size(), max_at_once);
        text.append(unread_, 0, count);
        unread_.erase(0, count);
        lock.unlock();
        has_room_.notify_all();
        return Process::Read::data;
    }

private:
    void collect() {
        const auto buffer = std::make_unique<char[]>(max_at_once);
        for (;;) {
            DWORD count = 0;
            const bool is_open = ReadFile(pipe_.get(), buffer.get(), max_at_once, &count, nullptr);
            std::unique_lock lock(mutex_);
            if (!is_open || !is_wanted_) {
                is_closed_ = true;
                lock.unlock();
                has_news_.notify_all();
                return;
            }
            unread_.append(buffer.get(), count);
            has_news_.notify_all();
            has_room_.wait(lock, [this] { return unread_.size() < max_unread || !is_wanted_; });
        }
    }

    Handle pipe_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable has_news_;
    std::condition_variable has_room_;
    std::string unread_;
    bool is_wanted_ = true;
    bool is_closed_ = false;
};

std::string problem_of_system(const std::string& program) {
    return "'" + shown(program, 200) + "' cannot be started: Windows error " +
           std::to_string(GetLastError());
}

}  // namespace

struct Process::Handles {
    Handle job;
    Handle process;
    Handle input;
    Collector output;

    ~Handles() { end(); }
    void end() {
        if (job) TerminateJobObject(job.get(), killed_status);
        output.end();
    }
};

Process::Process(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Result<Process> Process::start(const std::vector<std::string>& words, const std::string& folder) {
    if (words.empty()) return Error{"no program is named"};
    Pipe input;
    Pipe output;
    if (!input.open() || !output.open()) return Error{problem_of_system(words[0])};
    const InheritedHandles inherited(input.out.get(), output.in.get(),
                                     GetStdHandle(STD_ERROR_HANDLE));
    if (!inherited.is_ready()) return Error{problem_of_system(words[0])};
    STARTUPINFOEXW info{};
    info.StartupInfo.cb = sizeof info;
    info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    info.StartupInfo.hStdInput = input.out.get();
    info.StartupInfo.hStdOutput = output.in.get();
    info.StartupInfo.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    info.lpAttributeList = inherited.list();
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + quoted(word);
    std::wstring command = wide(line);
    const std::wstring place = wide(folder);
    auto handles = std::make_unique<Handles>();
    handles->job.reset(CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(handles->job.get(), JobObjectExtendedLimitInformation, &limits,
                            sizeof limits);
    PROCESS_INFORMATION made{};
    // Suspended until it is in the job: what it starts is then in it too.
    const auto create = [&] {
        return CreateProcessW(
                   nullptr, command.data(), nullptr, nullptr, TRUE,
                   CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT,
                   nullptr, folder.empty() ? nullptr : place.c_str(), &info.StartupInfo,
                   &made) != 0;
    };
    int attempt = 1;
    while (!create())
        if (GetLastError() != ERROR_INTERNAL_ERROR || ++attempt > max_attempts)
            return Error{problem_of_system(words[0])};
    handles->process.reset(made.hProcess);
    Handle thread;
    thread.reset(made.hThread);
    AssignProcessToJobObject(handles->job.get(), made.hProcess);
    ResumeThread(made.hThread);
    handles->input.take(input.in);
    handles->output.begin(output.out);
    return Process(std::move(handles));
}

bool Process::write(std::string_view text, double) {
    // A line fits into the pipe; only a program that leaves thousands of them unread blocks here.
    while (!text.empty()) {
        if (!handles_->input) return false;
        DWORD count = 0;
        const auto size = static_cast<DWORD>(std::min(text.size(), max_at_once));
        if (WriteFile(handles_->input.get(), text.data(), size, &count, nullptr) == 0) return false;
        text.remove_prefix(count);
    }
    return true;
}

Process::Read Process::read(std::string& text, double seconds) {
    return handles_->output.take(text, seconds);
}

void Process::close_input() {
    handles_->input.close();
}

std::optional<int> Process::wait(double seconds) {
    const double milliseconds = std::clamp(seconds * 1000, 0.0, 1e9);
    if (WaitForSingleObject(handles_->process.get(), static_cast<DWORD>(milliseconds)) !=
        WAIT_OBJECT_0)
        return std::nullopt;
    DWORD code = 0;
    if (GetExitCodeProcess(handles_->process.get(), &code) == 0) return std::nullopt;
    // A crash ends with a large code of the system.
    return code > 255 ? killed_status : static_cast<int>(code);
}

std::uint64_t Process::resident_bytes() const {
    PROCESS_MEMORY_COUNTERS counters{};
    if (GetProcessMemoryInfo(handles_->process.get(), &counters, sizeof counters) == 0) return 0;
    return counters.WorkingSetSize;
}

void Process::kill() {
    handles_->end();
}

}  // namespace defiance

#endif
