#pragma once

#ifndef _WIN32
#include <shared_mutex>
#endif

namespace defiance {

#ifdef _WIN32

/// A mutex that many readers or one writer may hold, for std::unique_lock and std::shared_lock. Not
/// recursive.
///
/// It is the system's own. The std::shared_mutex of mingw-w64 is made ready by the thread that
/// locks it first, and whoever comes while it does so is let in without a lock
/// (rwlock_static_init() of winpthreads answers EINVAL, which the C++ library ignores).
class SharedMutex {
public:
    SharedMutex() = default;
    SharedMutex(const SharedMutex&) = delete;
    SharedMutex& operator=(const SharedMutex&) = delete;

    void lock() noexcept;
    void unlock() noexcept;
    void lock_shared() noexcept;
    void unlock_shared() noexcept;

private:
    void* lock_ = nullptr;  ///< an SRWLOCK
};

#else

using SharedMutex = std::shared_mutex;

#endif

}  // namespace defiance
