#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/result.hpp>

#include "slice_codec.hpp"

namespace defiance {

/// Plies to the end of the game, odd in a win and even in a loss, or drawn_dtw: so they also tell
/// the value.
using BlockDtw = std::array<std::uint8_t, positions_per_block>;
inline constexpr std::uint8_t drawn_dtw = 255;
inline constexpr int max_packed_dtw = 254;

/// Plies to the end of the game for the quiet positions of a slice, as a file keeps them: the
/// probabilities of the bits, the ends of the blocks, the blocks.
class PackedDtw {
public:
    /// Bits are coded in so many contexts, each with its probability.
    static constexpr std::size_t contexts = 160;

    /// Takes the bytes apart; they must live on. Error when they cannot be those of this slice.
    [[nodiscard]] static Result<PackedDtw> open(const Material& material,
                                                std::span<const std::uint8_t> bytes);

    /// The probabilities that a byte can name.
    [[nodiscard]] static constexpr Probability probability(std::uint8_t level) {
        return static_cast<Probability>(level * 256 + 128);
    }
    /// The one nearest to how often a bit was set and how often not.
    [[nodiscard]] static constexpr std::uint8_t level_of(std::uint64_t set, std::uint64_t unset) {
        const std::uint64_t all = set + unset;
        return static_cast<std::uint8_t>(all == 0 ? 128 : set * 255 / all);
    }

    /// Unpacks one block, given its values. May be called by many threads at once.
    template <class Rules>
    void unpack(std::uint64_t block, const BlockValues& values, BlockDtw& plies) const;

private:
    explicit PackedDtw(const Material& material) : index_(material) {}

    SliceIndex index_;
    std::array<Probability, contexts> probabilities_{};
    std::span<const std::uint8_t> ends_;  // of the blocks in the data, 32 bits each
    std::span<const std::uint8_t> data_;
};

namespace detail {

/// Codes the halves of the plies one after the other, each by how it differs from those before.
///
/// Bits is asked code(context, bit) for each and answers with the bit: the same one when
/// plies are packed or counted, the one in the file when they are unpacked.
template <class Bits>
class DtwCoder {
public:
    DtwCoder(const SliceIndex& index, Bits& bits)
        : bits_(bits), row_(static_cast<std::size_t>(index.row_size())) {}

    /// Half the plies of the position at this place of the block; `half` is right or, when
    /// unpacking, anything. `plies` holds those of the places before.
    int code(std::size_t place, Wld value, const BlockDtw& plies, int half) {
        DEFIANCE_ASSERT(place < plies.size() && value != Wld::draw);
        const std::size_t kind = value == Wld::win ? 0 : 1;
        const int last = last_[kind];
        const int above = above_at(place, kind, plies, last);
        const std::size_t apart =
            static_cast<std::size_t>(std::min(bits_of(std::abs(last - above)), 3));
        const std::size_t around = kind * 8 + apart * 2 + (was_last_[kind] ? 1 : 0);
        was_last_[kind] = bits_.code(same_as_last + around, half == last);
        int result = last;
        if (!was_last_[kind]) {
            if (above != last && bits_.code(same_as_above + around, half == above))
                result = above;
            else
                result = code_difference(kind, last, above, half);
        }
        last_[kind] = result;
        return result;
    }

private:
    enum : std::size_t {
        same_as_last = 0,
        same_as_above = 16,
        is_more = 32,
        length = 48,
        low_bits = 112,
    };
    static constexpr int max_bits = 8;

    [[nodiscard]] static int bits_of(int number) {
        return static_cast<int>(std::bit_width(static_cast<unsigned>(number)));
    }

    /// Half the plies of the position a row before, if it has the same value.
    [[nodiscard]] int above_at(std::size_t place, std::size_t kind, const BlockDtw& plies,
                               int otherwise) const {
        if (place < row_ || row_ == 1) return otherwise;
        const std::uint8_t above = plies[place - row_];
        if (above == drawn_dtw || above % 2 == kind) return otherwise;
        return above / 2;
    }

    int code_difference(std::size_t kind, int last, int above, int half) {
        const std::size_t towards = above > last ? 2 : above < last ? 1 : 0;
        const bool more = bits_.code(is_more + kind * 4 + towards, half > last);
        const auto difference = static_cast<unsigned>(std::abs(half - last) & 255);
        const std::size_t direction = kind * 2 + (more ? 1 : 0);
        // The number of bits of the difference, which is 1 at least, then those below the highest.
        const int wanted = bits_of(static_cast<int>(difference));
        int width = 1;
        while (
            width < max_bits &&
            bits_.code(length + direction * 16 + static_cast<std::size_t>(width), wanted > width))
            ++width;
        unsigned found = 1;
        for (int i = width - 2; i >= 0; --i) {
            const std::size_t context =
                low_bits + static_cast<std::size_t>(std::min(width - 2 - i, 1)) * 16 +
                direction * 4 + static_cast<std::size_t>(std::min(width, 5) - 2);
            found = found << 1 | (bits_.code(context, (difference >> i & 1) != 0) ? 1U : 0U);
        }
        return more ? last + static_cast<int>(found) : last - static_cast<int>(found);
    }

    Bits& bits_;
    std::size_t row_;
    std::array<int, 2> last_{};
    std::array<bool, 2> was_last_{};
};

/// Goes through the quiet positions of a block and has code(number, place) give the plies of each
/// that is not drawn; the other places of `plies` are set to drawn_dtw.
template <class Rules, class Code>
void walk_dtw(const SliceIndex& index, std::uint64_t block, BlockDtw& plies,
              const BlockValues& values, Code code) {
    const std::uint64_t begin = block * positions_per_block;
    const std::uint64_t end = std::min(begin + positions_per_block, index.size());
    index.for_each(begin, end, [&](std::uint64_t number, const Position& p) {
        const auto place = static_cast<std::size_t>(number - begin);
        plies[place] = drawn_dtw;
        if (values[place] == static_cast<std::uint8_t>(Wld::draw) || !is_quiet<Rules>(p)) return;
        plies[place] = code(number, place);
    });
}

}  // namespace detail

}  // namespace defiance
