#include "dtw_codec.hpp"

#include <defiance/base/assert.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

class BitsToUnpack {
public:
    BitsToUnpack(std::span<const std::uint8_t> bytes,
                 const std::array<Probability, PackedDtw::contexts>& probabilities)
        : decoder_(bytes), probabilities_(probabilities) {}

    bool code(std::size_t context, bool) { return decoder_.decode(probabilities_[context]); }

private:
    RangeDecoder decoder_;
    const std::array<Probability, PackedDtw::contexts>& probabilities_;
};

}  // namespace

template <class Rules>
void PackedDtw::unpack(std::uint64_t block, const BlockValues& values, BlockDtw& plies) const {
    const auto end_of = [&](std::uint64_t i) {
        std::size_t end = 0;
        for (std::size_t byte = 4; byte-- > 0;)
            end = end << 8 | ends_[static_cast<std::size_t>(i) * 4 + byte];
        return std::min(end, data_.size());
    };
    DEFIANCE_ASSERT(block < blocks_of(index_));
    const std::size_t begin = block == 0 ? 0 : end_of(block - 1);
    const std::size_t end = std::max(begin, end_of(block));
    BitsToUnpack bits(data_.subspan(begin, end - begin), probabilities_);
    detail::DtwCoder coder(index_, bits);
    detail::walk_dtw<Rules>(index_, block, plies, values, [&](std::uint64_t, std::size_t place) {
        const auto value = static_cast<Wld>(values[place]);
        const int half = coder.code(place, value, plies, 0) & 127;
        return static_cast<std::uint8_t>(2 * half + (value == Wld::win ? 1 : 0));
    });
}

template void PackedDtw::unpack<DEFIANCE_GAME>(std::uint64_t, const BlockValues&, BlockDtw&) const;

}  // namespace defiance
