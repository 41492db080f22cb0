#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/slice_codec.hpp>

namespace defiance {

/// Plies to the end of the game, odd in a win and even in a loss, or drawn_plies: so they also tell
/// the value.
using BlockPlies = std::array<std::uint8_t, positions_per_block>;
inline constexpr std::uint8_t drawn_plies = 255;
inline constexpr int max_packed_plies = 254;

/// Plies to the end of the game for the quiet positions of a slice, as a file keeps them: the
/// probabilities of the bits, the ends of the blocks, the blocks.
class PackedPlies {
public:
    /// Bitboard are coded under so many kinds of contexts, each with its probability.
    static constexpr std::size_t contexts = 160;

    /// Takes the bytes apart; they must live on. Error when they cannot be those of this slice.
    [[nodiscard]] static Result<PackedPlies> open(const Material& material,
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
    void unpack(std::uint64_t block, const BlockValues& values, BlockPlies& plies) const;

private:
    explicit PackedPlies(const Material& material) : index_(material) {}

    SliceIndex index_;
    std::array<Probability, contexts> probabilities_{};
    std::span<const std::uint8_t> ends_;  // of the blocks in the data, 32 bits each
    std::span<const std::uint8_t> data_;
};

/// Packs the plies of a slice that has them; PackedPlies::open reads them. Empty when some are more
/// than max_packed_plies.
template <class Rules>
[[nodiscard]] std::vector<std::uint8_t> pack_plies(const SolvedSlice& slice, int threads);

}  // namespace defiance
