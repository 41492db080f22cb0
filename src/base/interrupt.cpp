#include <defiance/base/interrupt.hpp>

#include <csignal>

namespace defiance {
namespace {

/// The one thing a signal's handler may touch; the system knows no other place for it.
volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
    std::signal(SIGINT, note_interrupt);
    std::signal(SIGTERM, note_interrupt);
}

bool is_interrupted() {
    return interrupted != 0;
}

}  // namespace defiance
