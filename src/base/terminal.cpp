#include <defiance/base/console.hpp>

#ifndef _WIN32
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>

#include <defiance/base/assert.hpp>

#include "terminal_posix.hpp"
#endif

namespace defiance {
namespace {

#ifdef _WIN32
constexpr const char* keyboard_name = "CONIN$";
constexpr const char* screen_name = "CONOUT$";
#else
constexpr const char* keyboard_name = "/dev/tty";
constexpr const char* screen_name = "/dev/tty";

/// Global because a signal handler has no other access to it; written while the signal has another
/// handler.
struct {
    int terminal = -1;
    pid_t lender = -1;  ///< the process group that had the foreground
    struct sigaction interrupt_before = {};
    struct sigaction stop_before = {};
} keyboard_loan;

/// False when the system refuses. A program in the background may ask, too.
bool put_into_foreground(int terminal, pid_t group) {
    sigset_t stop_on_output;
    sigset_t before;
    sigemptyset(&stop_on_output);
    sigaddset(&stop_on_output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop_on_output, &before);
    const bool is_done = ::tcsetpgrp(terminal, group) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return is_done;
}

/// Of those that a signal handler may call.
extern "C" void pass_interrupt_on(int signal) {
    ::tcsetpgrp(keyboard_loan.terminal, keyboard_loan.lender);
    ::kill(-keyboard_loan.lender, signal);
    ::_exit(128 + signal);
}
#endif

}  // namespace

#ifdef _WIN32
KeyboardTurn::KeyboardTurn(std::FILE*) {}
KeyboardTurn::~KeyboardTurn() = default;
#else
KeyboardTurn::KeyboardTurn(std::FILE* keyboard) {
    DEFIANCE_ASSERT(keyboard != nullptr && keyboard_loan.terminal < 0);
    const int terminal = ::fileno(keyboard);
    const pid_t foreground = ::tcgetpgrp(terminal);
    const pid_t own = ::getpgrp();
    if (foreground <= 0 || foreground == own || foreground != ::getpgid(::getppid())) return;
    if (!put_into_foreground(terminal, own)) return;
    is_ours_ = true;
    keyboard_loan.terminal = terminal;
    keyboard_loan.lender = foreground;
    struct sigaction action = {};
    action.sa_handler = pass_interrupt_on;
    ::sigaction(SIGINT, &action, &keyboard_loan.interrupt_before);
    // Stopped alone, it would keep the terminal, and no shell would know.
    action.sa_handler = SIG_IGN;
    ::sigaction(SIGTSTP, &action, &keyboard_loan.stop_before);
}

KeyboardTurn::~KeyboardTurn() {
    if (!is_ours_) return;
    ::sigaction(SIGINT, &keyboard_loan.interrupt_before, nullptr);
    ::sigaction(SIGTSTP, &keyboard_loan.stop_before, nullptr);
    static_cast<void>(put_into_foreground(keyboard_loan.terminal, keyboard_loan.lender));
    keyboard_loan.terminal = -1;
}

void take_terminal_back_from(pid_t group) {
    const int terminal = ::open(keyboard_name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return;
    if (::tcgetpgrp(terminal) == group)
        static_cast<void>(put_into_foreground(terminal, ::getpgrp()));
    ::close(terminal);
}
#endif

Terminal::Terminal() : in_(std::fopen(keyboard_name, "r")), out_(std::fopen(screen_name, "w")) {}

}  // namespace defiance
