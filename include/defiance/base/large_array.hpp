#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

/// An array with 64-bit indices on every machine. Without enough memory it throws std::bad_alloc or
/// std::length_error as a vector does.
template <class T>
class LargeArray {
public:
    LargeArray() = default;
    explicit LargeArray(std::uint64_t size) : values_(narrow(size)) {}

    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] T& operator[](std::uint64_t number) {
        DEFIANCE_ASSERT(number < values_.size());
        return values_[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] const T& operator[](std::uint64_t number) const {
        DEFIANCE_ASSERT(number < values_.size());
        return values_[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] std::span<T> all() { return values_; }
    [[nodiscard]] std::span<const T> all() const { return values_; }
    /// A copy of `size` values from index `begin` on.
    [[nodiscard]] LargeArray part(std::uint64_t begin, std::uint64_t size) const {
        DEFIANCE_ASSERT(begin <= values_.size() && size <= values_.size() - begin);
        LargeArray copy;
        const auto first = values_.begin() + static_cast<std::ptrdiff_t>(begin);
        copy.values_.assign(first, first + static_cast<std::ptrdiff_t>(size));
        return copy;
    }

private:
    static std::size_t narrow(std::uint64_t size) {
        if (!std::in_range<std::size_t>(size))
            throw std::length_error("a large array has more values than there are addresses");
        return static_cast<std::size_t>(size);
    }

    std::vector<T> values_;
};

}  // namespace defiance
