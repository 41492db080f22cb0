#pragma once

// Sanitizers reserve more memory than there is, so a limit would stop them at once.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DEFIANCE_CAN_LIMIT_MEMORY

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace defiance {

/// While it lives, this process has so many bytes left to allocate.
class MemoryLeft {
public:
    explicit MemoryLeft(std::uint64_t bytes) {
        getrlimit(RLIMIT_AS, &before_);
        std::uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit limit = before_;
        limit.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + bytes;
        setrlimit(RLIMIT_AS, &limit);
    }
    ~MemoryLeft() { setrlimit(RLIMIT_AS, &before_); }
    MemoryLeft(const MemoryLeft&) = delete;
    MemoryLeft& operator=(const MemoryLeft&) = delete;

private:
    rlimit before_{};
};

}  // namespace defiance

#endif
