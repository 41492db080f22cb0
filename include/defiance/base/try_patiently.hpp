#pragma once

#include <defiance/base/system.hpp>

namespace defiance {

/// Repeats what fails for up to half a second: on Windows a virus scanner may hold a new file open
/// for a moment, and then it can be neither renamed nor opened.
template <class Action>
bool try_patiently(Action action) {
    constexpr int longest_wait = 256;  // milliseconds
    for (int wait = 1; wait <= longest_wait; wait *= 2) {
        if (action()) return true;
        sleep_milliseconds(wait);
    }
    return action();
}

}  // namespace defiance
