#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/base/result.hpp>
#include <defiance/egdb/probe.hpp>

#include "huffman_code.hpp"
#include "ribbon.hpp"

namespace defiance {

/// The most plies that a file can keep; they are odd in a win and even in a loss.
inline constexpr int max_packed_dtw = 2 * static_cast<int>(HuffmanCode::max_symbols) - 1;

/// Plies to the end of the game for the quiet positions of a slice that are not drawn, read where a
/// file has them: nothing is unpacked.
///
/// Half the plies, rounded down, are the word of a Huffman code, whose bits a ribbon keeps. Layout:
/// seed of the keys (8 bits), code of the wins, code of the losses, ribbon.
class PackedDtw {
public:
    /// Looks through the bytes, which must live on. Error when they cannot be plies.
    [[nodiscard]] static Result<PackedDtw> open(std::span<const std::uint8_t> bytes);

    /// The plies of a quiet position with black to move that is won or lost. Any number of threads
    /// may ask.
    [[nodiscard]] int plies(const Position& p, Wld value) const {
        DEFIANCE_ASSERT(value != Wld::draw);
        const bool wins = value == Wld::win;
        const std::uint64_t key = ribbon_key(p, seed_);
        const int half =
            codes_[wins ? 0 : 1].decode([&](unsigned i) { return bits_.bit(ribbon_key(key, i)); });
        return 2 * half + (wins ? 1 : 0);
    }

private:
    PackedDtw() = default;

    std::uint8_t seed_ = 0;
    std::array<HuffmanCode, 2> codes_;
    Ribbon bits_;
};

}  // namespace defiance
