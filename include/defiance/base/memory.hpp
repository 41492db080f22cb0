#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace defiance
