#include <defiance/base/shared_mutex.hpp>

#ifdef _WIN32

#include <windows.h>

namespace defiance {
namespace {

static_assert(sizeof(SRWLOCK) == sizeof(void*) && alignof(SRWLOCK) == alignof(void*));

SRWLOCK* system_lock(void*& lock) {
    return reinterpret_cast<SRWLOCK*>(&lock);
}

}  // namespace

void SharedMutex::lock() noexcept {
    AcquireSRWLockExclusive(system_lock(lock_));
}

void SharedMutex::unlock() noexcept {
    ReleaseSRWLockExclusive(system_lock(lock_));
}

void SharedMutex::lock_shared() noexcept {
    AcquireSRWLockShared(system_lock(lock_));
}

void SharedMutex::unlock_shared() noexcept {
    ReleaseSRWLockShared(system_lock(lock_));
}

}  // namespace defiance

#endif
