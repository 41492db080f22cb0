#ifdef _WIN32

#include <windows.h>
// After windows.h, which it needs.
#define PSAPI_VERSION 2  // the functions are those of KERNEL32
#include <psapi.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/text.hpp>

#include "windows_text.hpp"

namespace defiance {
namespace {

constexpr DWORD max_at_once = 64 * 1024;
/// Exit status of a child that was killed or crashed: 128 + SIGKILL, as on Linux.
constexpr int killed_status = 137;
/// On a busy machine Wine 8 fails about once in 500 starts with ERROR_INTERNAL_ERROR; the next
/// attempt succeeds.
constexpr int max_attempts = 5;

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

/// The exit status of a child as Process::wait() gives it. That of a crash is an NTSTATUS value of
/// an error, a breakpoint or an exception of C++ that nobody caught; a negative one is 255, as on
/// Linux.
int status_of(DWORD code) {
    constexpr DWORD first_error = 0xC0000000;
    constexpr DWORD last_error = 0xCFFFFFFF;
    constexpr DWORD breakpoint = 0x80000003;
    constexpr DWORD uncaught_exception = 0xE06D7363;
    if ((code >= first_error && code <= last_error) || code == breakpoint ||
        code == uncaught_exception)
        return killed_status;
    return code > INT32_MAX ? 255 : static_cast<int>(code);
}

/// Seconds as milliseconds for the Windows API, at most eleven days.
DWORD milliseconds_of(double seconds) {
    return static_cast<DWORD>(std::clamp(seconds * 1000, 0.0, 1e9));
}

/// A named pipe, because anonymous ones allow no reads and writes with a time limit.
struct Pipe {
    enum class Direction { to_child, from_child };

    Handle ours;
    Handle theirs;

    bool open(Direction direction) {
        const bool to_child = direction == Direction::to_child;
        for (int attempt = 0; attempt < max_attempts && !ours; ++attempt) {
            LARGE_INTEGER now{};
            QueryPerformanceCounter(&now);
            const std::wstring name =
                L"\\\\.\\pipe\\defiance-" + std::to_wstring(GetCurrentProcessId()) + L'-' +
                std::to_wstring(GetCurrentThreadId()) + L'-' + std::to_wstring(now.QuadPart);
            ours.reset(CreateNamedPipeW(name.c_str(),
                                        (to_child ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) |
                                            FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                        PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, max_at_once,
                                        max_at_once, 0, nullptr));
            if (!ours) continue;
            // Some C libraries need the access to attributes too.
            const DWORD access = to_child ? GENERIC_READ | FILE_WRITE_ATTRIBUTES
                                          : GENERIC_WRITE | FILE_READ_ATTRIBUTES;
            theirs.reset(CreateFileW(name.c_str(), access, 0, nullptr, OPEN_EXISTING, 0, nullptr));
        }
        return ours && theirs;
    }
};

/// Reads or writes of a pipe, one at a time.
class Transfer {
public:
    enum class Outcome { done, closed, too_late };

    Transfer() { event_.reset(CreateEventW(nullptr, TRUE, FALSE, nullptr)); }

    /// Calls begin(overlapped) to start the transfer and waits for it; `count` is then the number
    /// of bytes. A transfer that takes longer than `seconds` is cancelled.
    template <class Begin>
    Outcome run(const Handle& pipe, double seconds, DWORD& count, Begin begin) {
        count = 0;
        if (!pipe || !event_) return Outcome::closed;
        OVERLAPPED overlapped{};
        overlapped.hEvent = event_.get();
        if (begin(&overlapped) == 0 && GetLastError() != ERROR_IO_PENDING) return Outcome::closed;
        if (WaitForSingleObject(event_.get(), milliseconds_of(seconds)) != WAIT_OBJECT_0)
            CancelIo(pipe.get());
        // Even a cancelled transfer may use the buffer until it has ended.
        if (GetOverlappedResult(pipe.get(), &overlapped, &count, TRUE) != 0) return Outcome::done;
        return GetLastError() == ERROR_OPERATION_ABORTED ? Outcome::too_late : Outcome::closed;
    }

private:
    Handle event_;
};

/// True when PROC_THREAD_ATTRIBUTE_HANDLE_LIST accepts the handle. Before Windows 8 a console is
/// not a kernel object: its handle has the two lowest bits set, which are clear in all others.
bool is_kernel_handle(HANDLE handle) {
    DWORD flags = 0;
    return handle != nullptr && handle != INVALID_HANDLE_VALUE &&
           (reinterpret_cast<std::uintptr_t>(handle) & 3U) == 0 &&
           GetHandleInformation(handle, &flags) != 0;
}

/// The standard streams of a child, which are the only handles that it inherits.
class InheritedHandles {
public:
    /// `collected` null: the child shares the standard error of this program.
    InheritedHandles(HANDLE input, HANDLE output, HANDLE collected) : handles_{input, output} {
        HANDLE error = collected != nullptr ? collected : GetStdHandle(STD_ERROR_HANDLE);
        if (is_kernel_handle(error)) handles_[count_++] = error;
        for (std::size_t i = 0; i < count_; ++i)
            SetHandleInformation(handles_[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
        SIZE_T size = 0;
        InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
        memory_ = std::make_unique<std::uint8_t[]>(size);
        DEFIANCE_ASSERT(count_ <= std::size(handles_));
        is_ready_ =
            InitializeProcThreadAttributeList(list(), 1, 0, &size) != 0 &&
            UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_,
                                      count_ * sizeof(HANDLE), nullptr, nullptr) != 0;
        info_.StartupInfo.cb = sizeof info_;
        info_.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        info_.StartupInfo.hStdInput = input;
        info_.StartupInfo.hStdOutput = output;
        // Before Windows 8 a console is inherited without being in the list.
        info_.StartupInfo.hStdError = error;
        info_.lpAttributeList = list();
    }
    ~InheritedHandles() {
        if (is_ready_) DeleteProcThreadAttributeList(list());
    }
    InheritedHandles(const InheritedHandles&) = delete;
    InheritedHandles& operator=(const InheritedHandles&) = delete;

    [[nodiscard]] bool is_ready() const { return is_ready_; }
    [[nodiscard]] STARTUPINFOW* info() { return &info_.StartupInfo; }

private:
    [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list() const {
        return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.get());
    }

    HANDLE handles_[3] = {};
    std::size_t count_ = 2;
    std::unique_ptr<std::uint8_t[]> memory_;
    STARTUPINFOEXW info_{};
    bool is_ready_ = false;
};

/// The word quoted for CommandLineToArgvW and the C library.
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

std::string problem_of_system(const std::string& program) {
    return "'" + shown(program, 200) + "' cannot be started: Windows error " +
           std::to_string(GetLastError());
}

/// A process that is created suspended.
struct Suspended {
    Handle process;
    Handle thread;

    /// False when it cannot be started; GetLastError() has the reason.
    bool create(std::wstring command, const std::wstring& folder, InheritedHandles& inherited,
                DWORD flags) {
        PROCESS_INFORMATION made{};
        const auto attempt = [&] {
            return CreateProcessW(nullptr, command.data(), nullptr, nullptr, TRUE,
                                  flags | CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP |
                                      EXTENDED_STARTUPINFO_PRESENT,
                                  nullptr, folder.empty() ? nullptr : folder.c_str(),
                                  inherited.info(), &made) != 0;
        };
        int attempts = 1;
        while (!attempt())
            if (GetLastError() != ERROR_INTERNAL_ERROR || ++attempts > max_attempts) return false;
        DEFIANCE_ASSERT(made.hProcess != nullptr && made.hThread != nullptr);
        process.reset(made.hProcess);
        thread.reset(made.hThread);
        return true;
    }
    [[nodiscard]] bool enter(const Handle& job) const {
        DEFIANCE_ASSERT(process);
        return job && AssignProcessToJobObject(job.get(), process.get()) != 0;
    }
};

/// Appends what the pipe holds and closes it at end of file.
Process::Read read_from(Handle& pipe, Transfer& transfer, std::string& text, double seconds) {
    const Stopwatch stopwatch;
    const std::size_t before = text.size();
    text.resize(before + max_at_once);
    DWORD count = 0;
    auto outcome = Transfer::Outcome::done;
    // A write of zero bytes at the other end completes a read with zero bytes.
    while (outcome == Transfer::Outcome::done && count == 0)
        outcome =
            transfer.run(pipe, seconds - stopwatch.seconds(), count, [&](OVERLAPPED* overlapped) {
                return ReadFile(pipe.get(), text.data() + before, max_at_once, nullptr, overlapped);
            });
    DEFIANCE_ASSERT(count <= max_at_once);
    text.resize(before + count);
    if (outcome == Transfer::Outcome::too_late) return Process::Read::too_late;
    if (outcome == Transfer::Outcome::done) return Process::Read::data;
    pipe.close();
    return Process::Read::closed;
}

/// Creates a job whose processes are killed when its handle is closed.
void open_job(Handle& job) {
    job.reset(CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (job && SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits,
                                       sizeof limits) == 0)
        job.close();
}

}  // namespace

void forbid_error_dialogs() {
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
}

struct Process::Handles {
    Handle job;  // null where Windows 7 allows none
    Handle process;
    Handle input;
    Handle output;
    Handle errors;
    Transfer transfer;
    Transfer transfer_of_errors;  // may be used on another thread

    ~Handles() { end(); }
    void end() {
        if (job) TerminateJobObject(job.get(), killed_status);
        if (process) TerminateProcess(process.get(), killed_status);
    }
};

Process::Process(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Result<Process> Process::start(const std::vector<std::string>& words, const std::string& folder,
                               Errors errors) {
    if (words.empty()) return Error{"no program is named"};
    // The system would say of the program that it does not exist.
    if (!folder.empty() && !folder_exists(folder))
        return Error{"the folder '" + shown(folder, 200) + "' does not exist"};
    Pipe input;
    Pipe output;
    Pipe error;
    if (!input.open(Pipe::Direction::to_child) || !output.open(Pipe::Direction::from_child) ||
        (errors == Errors::collected && !error.open(Pipe::Direction::from_child)))
        return Error{problem_of_system(words[0])};
    InheritedHandles inherited(input.theirs.get(), output.theirs.get(), error.theirs.get());
    if (!inherited.is_ready()) return Error{problem_of_system(words[0])};
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + quoted(word);
    const std::wstring command = to_utf16(line);
    const std::wstring place = to_utf16(folder);
    auto handles = std::make_unique<Handles>();
    open_job(handles->job);
    // Suspended until it is in the job, so that all processes it starts are in the job too.
    Suspended child;
    if (!child.create(command, place, inherited, 0)) return Error{problem_of_system(words[0])};
    if (!child.enter(handles->job)) {
        // Windows 7 has no nested jobs: the child must break away from the job of this program. If
        // that job forbids it, the child gets no job and is killed without its own children.
        Suspended free_child;
        const bool is_free =
            free_child.create(command, place, inherited, CREATE_BREAKAWAY_FROM_JOB);
        if (is_free) {
            TerminateProcess(child.process.get(), killed_status);
            child.process.take(free_child.process);
            child.thread.take(free_child.thread);
        }
        if (!is_free || !child.enter(handles->job)) handles->job.close();
    }
    handles->process.take(child.process);
    ResumeThread(child.thread.get());
    handles->input.take(input.ours);
    handles->output.take(output.ours);
    handles->errors.take(error.ours);
    return Process(std::move(handles));
}

bool Process::write(std::string_view text, double seconds) {
    DEFIANCE_ASSERT(handles_ != nullptr);
    const Stopwatch stopwatch;
    while (!text.empty()) {
        DWORD count = 0;
        const auto size = static_cast<DWORD>(std::min<std::size_t>(text.size(), max_at_once));
        const auto outcome = handles_->transfer.run(
            handles_->input, seconds - stopwatch.seconds(), count, [&](OVERLAPPED* overlapped) {
                return WriteFile(handles_->input.get(), text.data(), size, nullptr, overlapped);
            });
        if (outcome != Transfer::Outcome::done) return false;
        DEFIANCE_ASSERT(count <= text.size());
        text.remove_prefix(count);
    }
    return true;
}

Process::Read Process::read(std::string& text, double seconds) {
    DEFIANCE_ASSERT(handles_ != nullptr);
    return read_from(handles_->output, handles_->transfer, text, seconds);
}

Process::Read Process::read_errors(std::string& text, double seconds) {
    return read_from(handles_->errors, handles_->transfer_of_errors, text, seconds);
}

void Process::close_input() {
    handles_->input.close();
}

std::optional<int> Process::wait(double seconds) {
    DEFIANCE_ASSERT(handles_ != nullptr);
    if (WaitForSingleObject(handles_->process.get(), milliseconds_of(seconds)) != WAIT_OBJECT_0)
        return std::nullopt;
    DWORD code = 0;
    if (GetExitCodeProcess(handles_->process.get(), &code) == 0) return std::nullopt;
    return status_of(code);
}

std::uint64_t Process::resident_bytes() const {
    PROCESS_MEMORY_COUNTERS counters{};
    if (GetProcessMemoryInfo(handles_->process.get(), &counters, sizeof counters) == 0) return 0;
    return counters.WorkingSetSize;
}

void Process::kill() {
    DEFIANCE_ASSERT(handles_ != nullptr);
    handles_->end();
}

}  // namespace defiance

#endif
