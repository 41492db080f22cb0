#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/egdb/probe.hpp>

#include "position_features.hpp"

namespace defiance {

/// How many positions have each value, by Wld.
using ValueCounts = std::array<std::uint64_t, 3>;

/// What is guessed of positions with the same answers, and how a wrong guess is told.
class Guess {
public:
    static constexpr int orders = 6;
    static constexpr int max_filter_bits = 14;

    /// The guess of positions of which so many have each value, without a filter.
    [[nodiscard]] static Guess of_counts(const ValueCounts& counts);
    /// From the byte that a file has. Nothing if it is none.
    [[nodiscard]] static constexpr std::optional<Guess> from_byte(std::uint8_t byte) {
        const Guess guess(byte);
        const bool is_one = (byte & 7) < orders && (!guess.is_sure() || !guess.has_third());
        return is_one ? std::optional(guess) : std::nullopt;
    }
    [[nodiscard]] constexpr std::uint8_t byte() const { return byte_; }

    /// Which values are the most frequent, the next, and the last one.
    [[nodiscard]] constexpr Wld first() const { return values()[0]; }
    [[nodiscard]] constexpr Wld second() const { return values()[1]; }
    [[nodiscard]] constexpr Wld third() const { return values()[2]; }
    /// True when all positions have the first value.
    [[nodiscard]] constexpr bool is_sure() const { return filter_bits() > max_filter_bits; }
    /// True when a position may have any of the three values.
    [[nodiscard]] constexpr bool has_third() const { return (byte_ & 128) != 0; }
    /// The bits of the filter that are set for each position without the first value.
    [[nodiscard]] constexpr int filter_bits() const { return byte_ >> 3 & 15; }

    [[nodiscard]] Guess with_filter(int bits) const {
        DEFIANCE_ASSERT(bits >= 0 && bits <= max_filter_bits);
        return Guess(static_cast<std::uint8_t>((byte_ & 0x87) | bits << 3));
    }
    /// The guess with the same first value and filter that is right for positions of which so many
    /// have each value: sure if all have the first, and with the others in the right order.
    [[nodiscard]] Guess for_counts(const ValueCounts& counts) const;

private:
    static constexpr std::array<std::array<Wld, 3>, 8> all_orders = {{
        {Wld::draw, Wld::win, Wld::loss},
        {Wld::draw, Wld::loss, Wld::win},
        {Wld::win, Wld::draw, Wld::loss},
        {Wld::win, Wld::loss, Wld::draw},
        {Wld::loss, Wld::draw, Wld::win},
        {Wld::loss, Wld::win, Wld::draw},
    }};

    constexpr explicit Guess(std::uint8_t byte) : byte_(byte) {}

    [[nodiscard]] constexpr const std::array<Wld, 3>& values() const {
        return all_orders[byte_ & 7];
    }

    std::uint8_t byte_;
};

/// The filter bits with which positions of which `wrong` have another value than the first take
/// the fewest bits, and how many those are.
struct FilterChoice {
    int filter_bits;
    std::uint64_t bits;
};
[[nodiscard]] FilterChoice best_filter(std::uint64_t right, std::uint64_t wrong);

/// Questions for features that lead to a guess, read where a file has them. One per slice.
///
/// Number of nodes (16 bits), then three bytes each. A question: the feature asked for, and how
/// many nodes further the one for yes is (16 bits); the next node is that for no. A leaf: 255, the
/// byte of its guess, 0.
class DecisionTree {
public:
    static constexpr std::uint8_t leaf = 255;
    static constexpr std::size_t node_bytes = 3;
    static constexpr std::size_t max_nodes = 65535;
    /// Questions on the way to a leaf.
    static constexpr int max_questions = 40;

    struct Opened;
    /// The tree at the beginning of the bytes, which must live on. Nothing when they hold none.
    [[nodiscard]] static std::optional<Opened> open(std::span<const std::uint8_t> bytes);

    [[nodiscard]] Guess guess(const PositionFeatures& features) const {
        const std::uint8_t* node = nodes_;
        while (node[0] != leaf)
            node += features.has(node[0]) ? node_bytes * load_little_endian<std::uint16_t>(node + 1)
                                          : node_bytes;
        return *Guess::from_byte(node[1]);
    }

private:
    explicit DecisionTree(const std::uint8_t* nodes) : nodes_(nodes) {}

    const std::uint8_t* nodes_;
};

struct DecisionTree::Opened {
    DecisionTree tree;
    std::size_t bytes;  ///< how many it takes
};

}  // namespace defiance
