#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The number by which a position with black to move, and a seed, are found in a ribbon. Positions
/// with different numbers under one seed may have the same under another.
[[nodiscard]] constexpr std::uint64_t ribbon_key(const Position& p, std::uint8_t seed) {
    DEFIANCE_ASSERT(p.side == Side::black);
    std::uint64_t key = std::uint64_t{p.white} << 32 | p.black;
    key += p.kings * (0x9E3779B97F4A7C15U + 2 * std::uint64_t{seed});
    key = (key ^ key >> 32) * 0xD6E8FEB86659FD93U;
    return key ^ key >> 32;
}

/// The key of bit number `i` of what is kept for a position.
[[nodiscard]] constexpr std::uint64_t ribbon_key(std::uint64_t key_of_position, unsigned i) {
    return key_of_position + i * 0x9E3779B97F4A7C15U;
}

/// Where a key leads: to the parity of some of 64 bits that follow each other. All of it is part
/// of the file format.
class RibbonEquation {
public:
    constexpr explicit RibbonEquation(std::uint64_t key)
        : hash_((key ^ key >> 29) * 0xBF58476D1CE4E5B9U) {}

    /// Which of so many shards it is in.
    [[nodiscard]] constexpr std::uint32_t shard(std::uint32_t shards) const {
        return scaled(static_cast<std::uint32_t>(hash_ >> 32), shards);
    }
    /// The first of the 64 bits, if it can be one of so many.
    [[nodiscard]] constexpr std::uint32_t start(std::uint32_t starts) const {
        return scaled(static_cast<std::uint32_t>(mixed() >> 32), starts);
    }
    /// Which of the 64 bits count; always the first.
    [[nodiscard]] constexpr std::uint64_t coefficients() const {
        return (mixed() * 0x94D049BB133111EBU) | 1;
    }

private:
    [[nodiscard]] static constexpr std::uint32_t scaled(std::uint32_t number, std::uint32_t size) {
        return static_cast<std::uint32_t>(std::uint64_t{number} * size >> 32);
    }
    [[nodiscard]] constexpr std::uint64_t mixed() const {
        return (hash_ ^ hash_ >> 32) * 0x94D049BB133111EBU;
    }

    std::uint64_t hash_;
};

/// A function from keys to bits, in little more than one bit a key: the ribbon of Dillinger and
/// Walzer (Ribbon filter: practically smaller than Bloom and Xor, 2021). It does not know its keys:
/// for any other key it gives any bit.
///
/// The bits are the solution of one linear equation a key, in shards that are solved apart. Layout:
/// number of shards (32 bits), for each where it ends, in bytes behind this list (32 bits), the
/// shards.
class Ribbon {
public:
    /// Bits from which an equation takes some.
    static constexpr std::uint32_t width = 64;

    Ribbon() = default;

    struct Opened;
    /// The ribbon at the beginning of the bytes, which must live on. Nothing when they hold none.
    [[nodiscard]] static std::optional<Opened> open(std::span<const std::uint8_t> bytes);

    /// The bit of a key; of one without shards it is 0. Any number of threads may ask.
    [[nodiscard]] bool bit(std::uint64_t key) const {
        if (shards_ == 0) return false;
        const RibbonEquation equation(key);
        const std::uint32_t shard = equation.shard(shards_);
        const std::uint32_t begin = shard == 0 ? 0 : end_of(shard - 1);
        const std::uint32_t bits = 8 * (end_of(shard) - begin);
        DEFIANCE_ASSERT(bits >= width);
        const std::uint32_t start = equation.start(bits - width + 1);
        const std::uint8_t* const at = data_ + begin + start / 8;
        // The byte behind the eight is read only if it is there.
        const std::uint32_t shift = start % 8;
        std::uint64_t window = load_little_endian<std::uint64_t>(at) >> shift;
        if (shift != 0) window |= std::uint64_t{at[8]} << (64 - shift);
        return (std::popcount(window & equation.coefficients()) & 1) != 0;
    }

private:
    [[nodiscard]] std::uint32_t end_of(std::uint32_t shard) const {
        return load_little_endian<std::uint32_t>(ends_ + std::size_t{4} * shard);
    }

    std::uint32_t shards_ = 0;
    const std::uint8_t* ends_ = nullptr;
    const std::uint8_t* data_ = nullptr;
};

struct Ribbon::Opened {
    Ribbon ribbon;
    std::size_t bytes;  ///< how many it takes
};

}  // namespace defiance
