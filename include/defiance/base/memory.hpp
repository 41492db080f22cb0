#pragma once

#include <cstddef>
#include <cstdint>

#ifndef __GNUC__
#include <xmmintrin.h>
#endif

namespace defiance {

/// A block of zeroed memory from the operating system, which supplies each page when it is first
/// touched: even a large block is allocated at once. Movable, not copyable.
///
/// Where it can be had it is of large pages, which cost a program that reads here and there less
/// than many small ones: on Linux as the system decides, on Windows for users who have the right to
/// lock pages in memory, up to 1 GiB, because there the block is zeroed when it is allocated.
class ZeroedMemory {
public:
    enum class Pages { large_where_possible, usual };

    ZeroedMemory() = default;
    /// Allocates `bytes`. Empty when that is 0 or there is too little memory. With usual pages it
    /// takes no time anywhere.
    explicit ZeroedMemory(std::uint64_t bytes, Pages pages = Pages::large_where_possible);
    ~ZeroedMemory();
    ZeroedMemory(ZeroedMemory&& other) noexcept;
    ZeroedMemory& operator=(ZeroedMemory&& other) noexcept;
    ZeroedMemory(const ZeroedMemory&) = delete;
    ZeroedMemory& operator=(const ZeroedMemory&) = delete;

    /// Start of the block, aligned to a page; null when empty.
    [[nodiscard]] void* data() const { return data_; }
    [[nodiscard]] explicit operator bool() const { return data_ != nullptr; }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Loads the memory at the address into the processor's cache. Any address is safe.
inline void prefetch(const void* address) {
#ifdef __GNUC__
    __builtin_prefetch(address);
#else
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

}  // namespace defiance
