#pragma once

#include <cstddef>
#include <cstdint>

#ifndef __GNUC__
#include <xmmintrin.h>
#endif

namespace defiance {

/// A block of memory that the operating system hands over zeroed, page by page as it is first
/// touched: getting a large block takes no time. Movable, not copyable.
class ZeroedMemory {
public:
    ZeroedMemory() = default;
    /// Asks for `bytes` (any number; 0 gives an empty block). Empty afterwards if there is too
    /// little memory.
    explicit ZeroedMemory(std::uint64_t bytes);
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

/// Asks the processor to bring the memory at the address near; changes nothing, whatever the
/// address.
inline void prefetch(const void* address) {
#ifdef __GNUC__
    __builtin_prefetch(address);
#else
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

}  // namespace defiance
