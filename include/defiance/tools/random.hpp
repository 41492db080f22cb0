#pragma once

#include <cstddef>
#include <cstdint>

namespace defiance {

/// Numbers that look random and are the same for the same seed on every machine: splitmix64
/// (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class RandomNumbers {
public:
    explicit constexpr RandomNumbers(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }

    /// A number from 0 to `count` - 1; `count` must not be 0.
    constexpr std::size_t below(std::size_t count) {
        return static_cast<std::size_t>(next() % count);
    }

private:
    std::uint64_t state_;
};

}  // namespace defiance
