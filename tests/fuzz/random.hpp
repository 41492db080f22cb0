#pragma once

#include <cstdint>

namespace defiance::fuzz {

/// Random numbers, the same on every machine (xorshift64*).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}

    [[nodiscard]] std::uint32_t word() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1DU) >> 32);
    }
    [[nodiscard]] std::uint32_t below(std::uint32_t limit) { return word() % limit; }

private:
    std::uint64_t state_;
};

}  // namespace defiance::fuzz
