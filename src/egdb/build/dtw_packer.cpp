#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/egdb/build.hpp>

#include "egdb/codec/dtw_codec.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

using BitCounts = std::array<std::array<std::uint64_t, 2>, PackedDtw::contexts>;

class BitsToCount {
public:
    explicit BitsToCount(BitCounts& counts) : counts_(counts) {}
    bool code(std::size_t context, bool bit) {
        ++counts_[context][bit ? 1 : 0];
        return bit;
    }

private:
    BitCounts& counts_;
};

class BitsToPack {
public:
    explicit BitsToPack(const std::array<std::uint8_t, PackedDtw::contexts>& levels)
        : levels_(levels) {}
    bool code(std::size_t context, bool bit) {
        encoder.code(bit, PackedDtw::probability(levels_[context]));
        return bit;
    }
    RangeEncoder encoder;

private:
    const std::array<std::uint8_t, PackedDtw::contexts>& levels_;
};

/// Codes the plies of a block; `bits` counts the bits or packs them.
template <class Rules, class Bits>
void code_block(const SolvedSlice& slice, std::uint64_t block, Bits& bits) {
    const SliceIndex& index = slice.index();
    const std::uint64_t begin = block * positions_per_block;
    BlockValues values;
    for (std::uint64_t i = 0; i < positions_per_block && begin + i < index.size(); ++i)
        values[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(slice.value(begin + i));
    BlockDtw plies;
    detail::DtwCoder coder(index, bits);
    detail::walk_dtw<Rules>(
        index, block, plies, values, [&](std::uint64_t number, std::size_t place) {
            const int exact = slice.dtw(number);
            DEFIANCE_ASSERT((exact % 2 == 1) == (slice.value(number) == Wld::win));
            coder.code(place, slice.value(number), plies, exact / 2);
            return static_cast<std::uint8_t>(exact);
        });
}

bool fits(const SolvedSlice& slice) {
    for (std::uint64_t i = 0; i < slice.index().size(); ++i)
        if (slice.value(i) != Wld::draw && slice.dtw(i) > max_packed_dtw) return false;
    return true;
}

}  // namespace

template <class Rules>
std::vector<std::uint8_t> pack_dtw(const SolvedSlice& slice, int threads) {
    DEFIANCE_ASSERT(slice.has_dtw() && threads > 0);
    if (!fits(slice)) return {};
    const std::uint64_t blocks = blocks_of(slice.index());
    BitCounts counts{};
    for (std::uint64_t block = 0; block < blocks; ++block) {
        BitsToCount bits(counts);
        code_block<Rules>(slice, block, bits);
    }
    std::array<std::uint8_t, PackedDtw::contexts> levels{};
    for (std::size_t i = 0; i < levels.size(); ++i)
        levels[i] = PackedDtw::level_of(counts[i][1], counts[i][0]);
    std::vector<std::vector<std::uint8_t>> packed(static_cast<std::size_t>(blocks));
    parallel_for(blocks, 1, threads, [&](std::uint64_t block, std::uint64_t, int) {
        BitsToPack bits(levels);
        code_block<Rules>(slice, block, bits);
        packed[static_cast<std::size_t>(block)] = bits.encoder.take();
    });
    std::vector<std::uint8_t> bytes(levels.begin(), levels.end());
    std::size_t end = 0;
    for (const auto& block : packed) {
        end += block.size();
        for (int shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<std::uint8_t>(end >> shift));
    }
    for (const auto& block : packed)
        bytes.insert(bytes.end(), block.begin(), block.end());
    return bytes;
}

template std::vector<std::uint8_t> pack_dtw<DEFIANCE_GAME>(const SolvedSlice&, int);

}  // namespace defiance
