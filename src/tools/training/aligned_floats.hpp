#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include <defiance/base/assert.hpp>

namespace defiance {

/// An array of numbers that begins on a line of the cache, all 0 at first.
class AlignedFloats {
public:
    explicit AlignedFloats(std::size_t size)
        : values_(static_cast<float*>(operator new(size * sizeof(float), alignment))), size_(size) {
        clear();
    }

    void clear() { std::fill_n(values_.get(), size_, 0.0F); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] float* data() { return values_.get(); }
    [[nodiscard]] const float* data() const { return values_.get(); }
    [[nodiscard]] std::span<float> all() { return {data(), size_}; }
    [[nodiscard]] std::span<const float> all() const { return {data(), size_}; }
    [[nodiscard]] float& operator[](std::size_t index) {
        DEFIANCE_ASSERT(index < size_);
        return values_.get()[index];
    }
    [[nodiscard]] float operator[](std::size_t index) const {
        DEFIANCE_ASSERT(index < size_);
        return values_.get()[index];
    }

private:
    static constexpr std::align_val_t alignment{64};
    struct Release {
        void operator()(float* values) const { operator delete(values, alignment); }
    };
    std::unique_ptr<float, Release> values_;
    std::size_t size_;
};

}  // namespace defiance
