#pragma once

#include <exception>

namespace defiance {

/// Does something that may need more memory than there is, on a thread that must not end the
/// program for it. False when it was not done.
template <class Work>
bool try_to(const Work& work) {
    try {
        work();
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace defiance
