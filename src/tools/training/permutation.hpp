#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>

namespace defiance {

/// A random order of the numbers 0 to size - 1 that takes no memory: each number is found by
/// itself.
class Permutation {
public:
    /// `size` must be positive and below 2^62.
    Permutation(std::uint64_t size, std::uint64_t seed) : size_(size) {
        DEFIANCE_ASSERT(size > 0 && size < std::uint64_t{1} << 62);
        const int bits = std::max(2, static_cast<int>(std::bit_width(size - 1)));
        mask_ = (std::uint64_t{1} << bits) - 1;
        shift_ = (bits + 1) / 2;
        Random random(seed);
        for (Round& round : rounds_)
            round = {random.next() | 1, random.next()};
    }

    /// The number at this place of the order.
    [[nodiscard]] std::uint64_t operator[](std::uint64_t place) const {
        DEFIANCE_ASSERT(place < size_);
        // Mixing permutes the numbers of so many bits; those that are too large lead on to another.
        do
            place = mixed(place);
        while (place >= size_);
        return place;
    }

private:
    struct Round {
        std::uint64_t factor = 1;  // odd, so that it loses nothing
        std::uint64_t offset = 0;
    };

    [[nodiscard]] std::uint64_t mixed(std::uint64_t x) const {
        for (const Round& round : rounds_) {
            x = (x * round.factor + round.offset) & mask_;
            x ^= x >> shift_;
        }
        return x;
    }

    std::uint64_t size_;
    std::uint64_t mask_ = 0;
    int shift_ = 1;
    std::array<Round, 5> rounds_;
};

}  // namespace defiance
