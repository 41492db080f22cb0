#pragma once

#include <concepts>
#include <cstdint>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Numbers that look random and are the same for the same seed on every machine: splitmix64
/// (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Not for secrets.
class Random {
public:
    explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

    /// Any number of 64 bits.
    constexpr std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }

    /// A number from 0 to `count` - 1; `count` must be positive.
    template <std::integral Number>
    constexpr Number below(Number count) {
        DEFIANCE_ASSERT(count > 0);
        return static_cast<Number>(next() % static_cast<std::uint64_t>(count));
    }

private:
    std::uint64_t state_;
};

}  // namespace defiance
