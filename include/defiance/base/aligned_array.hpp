#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Numbers that begin at a line of the cache, all 0 at first. What follows the last one on its line
/// may be read.
template <class T>
class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(std::size_t size)
        : lines_((size + per_line - 1) / per_line), size_(size) {}
    explicit AlignedArray(std::span<const T> values) : AlignedArray(values.size()) {
        std::copy(values.begin(), values.end(), data());
    }

    void clear() { std::fill(lines_.begin(), lines_.end(), Line{}); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return lines_.empty() ? nullptr : lines_.data()->values; }
    [[nodiscard]] const T* data() const { return lines_.empty() ? nullptr : lines_.data()->values; }
    [[nodiscard]] std::span<T> all() { return {data(), size_}; }
    [[nodiscard]] std::span<const T> all() const { return {data(), size_}; }
    [[nodiscard]] T& operator[](std::size_t index) {
        DEFIANCE_ASSERT(index < size_);
        return data()[index];
    }
    [[nodiscard]] T operator[](std::size_t index) const {
        DEFIANCE_ASSERT(index < size_);
        return data()[index];
    }

private:
    static constexpr std::size_t per_line = 64 / sizeof(T);
    struct alignas(64) Line {
        T values[per_line];
    };
    std::vector<Line> lines_;
    std::size_t size_ = 0;
};

}  // namespace defiance
