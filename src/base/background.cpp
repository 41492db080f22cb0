#include <defiance/base/background.hpp>

#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/system.hpp>

#ifdef _WIN32
#include <windows.h>
#else
#include <algorithm>
#include <chrono>
#include <thread>
#endif

namespace defiance {
namespace {

using Task = std::function<void()>;
using IsWanted = std::function<bool()>;

void run_and_ignore_failure(const Task& task) noexcept {
    try {
        task();
    } catch (...) {
        // Ignored as documented: an exception that leaves a thread ends the process.
    }
}

#ifdef _WIN32

void CALLBACK on_timer(PTP_CALLBACK_INSTANCE instance, void* context, PTP_TIMER timer) {
    const std::unique_ptr<Task> task(static_cast<Task*>(context));
    // The task may read files for seconds, so the pool should start another thread if it needs one.
    CallbackMayRunLong(instance);
    CloseThreadpoolTimer(timer);  // freed by the system when this callback has returned
    const NoSystemDialogs no_dialogs;
    run_and_ignore_failure(*task);
}

bool start(Task task, double seconds, const IsWanted&) {
    auto context = std::make_unique<Task>(std::move(task));
    const PTP_TIMER timer = CreateThreadpoolTimer(&on_timer, context.get(), nullptr);
    if (timer == nullptr) return false;
    static_cast<void>(context.release());  // on_timer owns it
    constexpr double ticks_per_second = 1e7;
    // A negative time is relative.
    const auto due = static_cast<ULONGLONG>(-static_cast<LONGLONG>(seconds * ticks_per_second));
    FILETIME when{static_cast<DWORD>(due), static_cast<DWORD>(due >> 32)};
    SetThreadpoolTimer(timer, &when, 0, 0);
    return true;
}

#else

bool start(Task task, double seconds, IsWanted is_wanted) {
    std::thread([task = std::move(task), seconds, is_wanted = std::move(is_wanted)] {
        using Clock = std::chrono::steady_clock;
        using Seconds = std::chrono::duration<double>;
        constexpr Seconds longest_sleep{0.2};
        const Clock::time_point begin = Clock::now();
        for (Seconds left{seconds}; left.count() > 0;
             left = Seconds(seconds) - Seconds(Clock::now() - begin)) {
            if (is_wanted && !is_wanted()) return;
            std::this_thread::sleep_for(is_wanted ? std::min(left, longest_sleep) : left);
        }
        run_and_ignore_failure(task);
    }).detach();
    return true;
}

#endif

}  // namespace

bool run_in_background(Task task, double seconds, IsWanted is_wanted) {
    DEFIANCE_ASSERT(task != nullptr);
    DEFIANCE_ASSERT(seconds >= 0);
    pin_module();
    try {
        return start(std::move(task), seconds, std::move(is_wanted));
    } catch (const std::bad_alloc&) {
        return false;
    } catch (const std::system_error&) {
        return false;
    }
}

}  // namespace defiance
