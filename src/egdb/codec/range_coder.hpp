#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

/// How probable it is that a bit is set, in 65536ths: 1 to 65535.
using Probability = std::uint16_t;

/// Writes bits in as little space as their probabilities allow, as a number between two bounds
/// that come nearer with each bit: the binary arithmetic coding of Rissanen and Langdon (1979).
class RangeEncoder {
public:
    void code(bool is_set, Probability probability) {
        DEFIANCE_ASSERT(probability != 0 && low_ < high_);
        const std::uint32_t split = split_point(low_, high_, probability);
        (is_set ? high_ : low_) = is_set ? split : split + 1;
        while (((low_ ^ high_) >> 24) == 0) {
            bytes_.push_back(static_cast<std::uint8_t>(high_ >> 24));
            low_ <<= 8;
            high_ = high_ << 8 | 255;
        }
    }

    /// The bytes of all bits so far; zeros at the end are left out, as a reader takes what is
    /// missing for zeros. The encoder begins anew.
    [[nodiscard]] std::vector<std::uint8_t> take();

    /// What encoder and decoder have in common: where the range from `low` to `high` is divided.
    [[nodiscard]] static constexpr std::uint32_t split_point(std::uint32_t low, std::uint32_t high,
                                                             Probability probability) {
        return low + static_cast<std::uint32_t>((std::uint64_t{high - low} * probability) >> 16);
    }

private:
    std::uint32_t low_ = 0;
    std::uint32_t high_ = ~std::uint32_t{0};
    std::vector<std::uint8_t> bytes_;
};

inline std::vector<std::uint8_t> RangeEncoder::take() {
    // The number between the bounds with the most zeros at its end.
    std::uint32_t number = 0;
    for (int zeros = 24; number < low_; zeros -= 8) {
        const std::uint64_t unit = std::uint64_t{1} << zeros;
        const std::uint64_t rounded_up = (low_ + unit - 1) / unit * unit;
        if (rounded_up <= high_) number = static_cast<std::uint32_t>(rounded_up);
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes_.push_back(static_cast<std::uint8_t>(number >> shift));
    while (!bytes_.empty() && bytes_.back() == 0)
        bytes_.pop_back();
    low_ = 0;
    high_ = ~std::uint32_t{0};
    return std::exchange(bytes_, {});
}

/// Reads what a RangeEncoder wrote when it is asked with the same probabilities. Any bytes can be
/// read; what they mean is up to the caller.
class RangeDecoder {
public:
    explicit RangeDecoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
        for (int i = 0; i < 4; ++i)
            number_ = number_ << 8 | next_byte();
    }

    [[nodiscard]] bool decode(Probability probability) {
        const std::uint32_t split = RangeEncoder::split_point(low_, high_, probability);
        const bool is_set = number_ <= split;
        (is_set ? high_ : low_) = is_set ? split : split + 1;
        while (((low_ ^ high_) >> 24) == 0) {
            low_ <<= 8;
            high_ = high_ << 8 | 255;
            number_ = number_ << 8 | next_byte();
        }
        return is_set;
    }

private:
    [[nodiscard]] std::uint8_t next_byte() {
        return read_ < bytes_.size() ? bytes_[read_++] : std::uint8_t{0};
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t read_ = 0;
    std::uint32_t low_ = 0;
    std::uint32_t high_ = ~std::uint32_t{0};
    std::uint32_t number_ = 0;
};

}  // namespace defiance
