#include <defiance/base/lines.hpp>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#endif

namespace defiance {
namespace {

#ifdef _WIN32
constexpr const char* keyboard = "CONIN$";
constexpr const char* screen = "CONOUT$";

long write_some(int descriptor, const char* bytes, std::size_t count) {
    return _write(descriptor, bytes, static_cast<unsigned>(count));
}

/// Makes standard output mean standard error and returns what it was.
int divert_output() {
    const int before = _dup(1);
    _setmode(before, _O_BINARY);
    _dup2(2, 1);
    // A DLL with a C library of its own asks the system.
    SetStdHandle(STD_OUTPUT_HANDLE, GetStdHandle(STD_ERROR_HANDLE));
    return before;
}

void close_descriptor(int descriptor) {
    _close(descriptor);
}
#else
constexpr const char* keyboard = "/dev/tty";
constexpr const char* screen = "/dev/tty";

long write_some(int descriptor, const char* bytes, std::size_t count) {
    [[maybe_unused]] static const auto ignored = std::signal(SIGPIPE, SIG_IGN);
    return static_cast<long>(::write(descriptor, bytes, count));
}

/// Makes standard output mean standard error and returns what it was.
int divert_output() {
    const int before = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
    ::dup2(2, 1);
    return before;
}

void close_descriptor(int descriptor) {
    ::close(descriptor);
}
#endif

bool send_to(int descriptor, std::string_view line) {
    std::string text(line);
    text += '\n';
    for (std::size_t sent = 0; sent < text.size();) {
        const long count = write_some(descriptor, text.data() + sent, text.size() - sent);
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

LineReader::Outcome LineReader::read(std::string& line) {
    line.clear();
    bool is_cut = false;
    int c = std::getc(stream_);
    if (c == EOF) return Outcome::end;
    for (; c != EOF && c != '\n'; c = std::getc(stream_)) {
        if (line.size() < longest_)
            line += static_cast<char>(c);
        else
            is_cut = true;
    }
    if (is_cut) return Outcome::too_long;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return Outcome::line;
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

Terminal::Terminal() : in_(std::fopen(keyboard, "r")), out_(std::fopen(screen, "w")) {}

}  // namespace defiance
