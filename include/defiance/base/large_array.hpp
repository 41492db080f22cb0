#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace defiance {

/// Values in a row whose places are numbered as positions are, with 64 bits on every machine. More
/// than the memory can hold ends as it does with a vector, with std::bad_alloc or length_error.
template <class T>
class LargeArray {
public:
    LargeArray() = default;
    explicit LargeArray(std::uint64_t size) : values_(static_cast<std::size_t>(size)) {}

    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] T& operator[](std::uint64_t number) {
        return values_[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] const T& operator[](std::uint64_t number) const {
        return values_[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] std::span<T> all() { return values_; }
    [[nodiscard]] std::span<const T> all() const { return values_; }
    /// A copy of `size` values from the place `begin` on.
    [[nodiscard]] LargeArray part(std::uint64_t begin, std::uint64_t size) const {
        LargeArray copy;
        const auto first = values_.begin() + static_cast<std::ptrdiff_t>(begin);
        copy.values_.assign(first, first + static_cast<std::ptrdiff_t>(size));
        return copy;
    }

private:
    std::vector<T> values_;
};

}  // namespace defiance
