#include <defiance/base/console.hpp>

#include <atomic>
#include <csignal>

#include <defiance/base/assert.hpp>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
// After windows.h, which it needs.
#include <shellapi.h>

#include <cstdlib>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace defiance {
namespace {

/// Global because a signal handler has no other access to it. On Windows the handler runs in a
/// thread of its own, so it is atomic.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a lock could deadlock in a handler

extern "C" void note_interrupt(int signal) {
    interrupted.store(true, std::memory_order_relaxed);
    std::signal(signal, SIG_DFL);
}

#ifdef _WIN32
long write_some(int descriptor, const char* bytes, std::size_t count) {
    return _write(descriptor, bytes, static_cast<unsigned>(count));
}

/// Redirects standard output to standard error and returns a descriptor of the original.
int divert_output() {
    const int before = _dup(1);
    _setmode(before, _O_BINARY);
    _dup2(2, 1);
    // For DLLs with a C library of their own.
    SetStdHandle(STD_OUTPUT_HANDLE, GetStdHandle(STD_ERROR_HANDLE));
    return before;
}

void close_descriptor(int descriptor) {
    _close(descriptor);
}
#else
long write_some(int descriptor, const char* bytes, std::size_t count) {
    [[maybe_unused]] static const auto ignored = std::signal(SIGPIPE, SIG_IGN);
    return static_cast<long>(::write(descriptor, bytes, count));
}

/// Redirects standard output to standard error and returns a descriptor of the original.
int divert_output() {
    const int before = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
    ::dup2(2, 1);
    return before;
}

void close_descriptor(int descriptor) {
    ::close(descriptor);
}

/// Gives the standard streams that are closed a place that nothing can be written to. Else the next
/// file that is opened would get the number of one, and messages would be written into it.
void fill_standard_streams() {
    int descriptor = 0;
    do {
        descriptor = ::open("/dev/null", O_RDONLY);
    } while (descriptor >= 0 && descriptor <= 2);
    if (descriptor > 2) ::close(descriptor);
}
#endif

bool send_to(int descriptor, std::string_view line) {
    std::string text(line);
    text += '\n';
    for (std::size_t sent = 0; sent < text.size();) {
        const long count = write_some(descriptor, text.data() + sent, text.size() - sent);
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
        DEFIANCE_ASSERT(sent <= text.size());
    }
    return true;
}

}  // namespace

std::vector<std::string> program_arguments(int count, char** words) {
    DEFIANCE_ASSERT(count == 0 || words != nullptr);
    std::vector<std::string> arguments;
#ifdef _WIN32
    static_cast<void>(words);
    int number = 0;
    wchar_t** texts = CommandLineToArgvW(GetCommandLineW(), &number);
    for (int i = 1; texts != nullptr && i < number; ++i)
        arguments.push_back(to_utf8(texts[i]));
    LocalFree(texts);
    static_cast<void>(count);
#else
    for (int i = 1; i < count; ++i)
        arguments.emplace_back(words[i]);
#endif
    return arguments;
}

void use_plain_streams() {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    // The console outlives the program, so its code page is restored.
    static const UINT before = GetConsoleOutputCP();
    if (before != 0 && SetConsoleOutputCP(CP_UTF8) != 0)
        std::atexit([] { SetConsoleOutputCP(before); });
#else
    fill_standard_streams();
#endif
}

void catch_interrupts() {
    std::signal(SIGINT, note_interrupt);
    std::signal(SIGTERM, note_interrupt);
}

bool is_interrupted() {
    return interrupted.load(std::memory_order_relaxed);
}

LineReader::Outcome LineReader::read(std::string& line) {
    line.clear();
    bool is_cut = false;
    int c = std::getc(stream_);
    if (c == EOF) return Outcome::end;
    for (; c != EOF && c != '\n'; c = std::getc(stream_)) {
        // One byte more than allowed, because it may be the CR of the line end.
        if (line.size() <= max_length_)
            line += static_cast<char>(c);
        else
            is_cut = true;
    }
    if (!is_cut && !line.empty() && line.back() == '\r') line.pop_back();
    const bool is_too_long = line.size() > max_length_;
    DEFIANCE_ASSERT(is_too_long || !is_cut);
    if (is_too_long) line.resize(max_length_);
    return is_too_long ? Outcome::too_long : Outcome::line;
}

bool send_line(std::string_view line) {
    return send_to(1, line);
}

PrivateOutput::PrivateOutput() : descriptor_(divert_output()) {}

PrivateOutput::~PrivateOutput() {
    if (descriptor_ >= 0) close_descriptor(descriptor_);
}

bool PrivateOutput::send(std::string_view line) {
    const std::lock_guard lock(mutex_);
    return send_to(descriptor_, line);
}

}  // namespace defiance
