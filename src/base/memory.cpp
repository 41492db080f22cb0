#include <defiance/base/memory.hpp>

#include <limits>
#include <utility>

#include <defiance/base/assert.hpp>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace defiance {

ZeroedMemory::ZeroedMemory(std::uint64_t bytes) {
    if (bytes == 0 || bytes > std::numeric_limits<std::size_t>::max() / 2) return;
    bytes_ = static_cast<std::size_t>(bytes);
#ifdef _WIN32
    data_ = VirtualAlloc(nullptr, bytes_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
#else
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) data_ = nullptr;
    // Large pages cause 512 times fewer page faults. The system may refuse them.
    if (data_ != nullptr) madvise(data_, bytes_, MADV_HUGEPAGE);
#endif
    DEFIANCE_ASSERT(reinterpret_cast<std::uintptr_t>(data_) % 4096 == 0);
}

ZeroedMemory::~ZeroedMemory() {
    if (data_ == nullptr) return;
#ifdef _WIN32
    VirtualFree(data_, 0, MEM_RELEASE);
#else
    munmap(data_, bytes_);
#endif
}

ZeroedMemory::ZeroedMemory(ZeroedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ZeroedMemory& ZeroedMemory::operator=(ZeroedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

}  // namespace defiance
