#include <defiance/base/lines.hpp>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>

#include <csignal>
#endif

namespace defiance {
namespace {

#ifdef _WIN32
constexpr const char* keyboard = "CONIN$";
constexpr const char* screen = "CONOUT$";

long write_some(const char* bytes, std::size_t count) {
    return _write(1, bytes, static_cast<unsigned>(count));
}
#else
constexpr const char* keyboard = "/dev/tty";
constexpr const char* screen = "/dev/tty";

long write_some(const char* bytes, std::size_t count) {
    [[maybe_unused]] static const auto ignored = std::signal(SIGPIPE, SIG_IGN);
    return static_cast<long>(::write(1, bytes, count));
}
#endif

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
    std::string text(line);
    text += '\n';
    for (std::size_t sent = 0; sent < text.size();) {
        const long count = write_some(text.data() + sent, text.size() - sent);
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

Terminal::Terminal() : in_(std::fopen(keyboard, "r")), out_(std::fopen(screen, "w")) {}

}  // namespace defiance
