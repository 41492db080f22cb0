#include "slice_codec.hpp"

#include <defiance/base/assert.hpp>

#include "dtw_codec.hpp"

namespace defiance {
namespace {

/// Reads a number of up to 16 bits and moves `at` behind it.
std::optional<std::uint32_t> read_number(std::span<const std::uint8_t> bytes, std::size_t& at) {
    std::uint32_t number = 0;
    for (int shift = 0; shift <= 14 && at < bytes.size(); shift += 7) {
        const std::uint8_t byte = bytes[at++];
        number |= static_cast<std::uint32_t>(byte & 127) << shift;
        if ((byte & 128) == 0) return number <= 0xFFFF ? std::optional(number) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

Result<PackedSlice> PackedSlice::open(const Material& material,
                                      std::span<const std::uint8_t> bytes) {
    DEFIANCE_ASSERT(material.total() <= SliceIndex::max_pieces);
    PackedSlice slice(material);
    auto unpacked = DecisionTree::unpack(bytes);
    if (!unpacked) return Error{"its decision tree is damaged"};
    slice.tree_ = std::move(unpacked->tree);
    std::size_t at = unpacked->bytes;
    const std::uint64_t blocks = blocks_of(slice.index_);
    // Each length takes a byte at least.
    if (blocks > bytes.size() - at) return Error{"its list of blocks is cut off"};
    slice.blocks_.reserve(static_cast<std::size_t>(blocks));
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        const auto number = read_number(bytes, at);
        if (!number) return Error{"its list of blocks is damaged"};
        Block block;
        block.begin = static_cast<std::uint32_t>(end);
        if (*number < 3)
            block.only_value = static_cast<std::uint8_t>(*number);
        else
            block.length = static_cast<std::uint16_t>(*number - 3);
        end += block.length;
        if (end > bytes.size()) return Error{"its list of blocks is damaged"};
        slice.blocks_.push_back(block);
    }
    if (end != bytes.size() - at) return Error{"it is cut off or too long"};
    DEFIANCE_ASSERT(slice.blocks_.size() == blocks);
    slice.data_ = bytes.subspan(at);
    return slice;
}

Result<PackedDtw> PackedDtw::open(const Material& material, std::span<const std::uint8_t> bytes) {
    PackedDtw plies(material);
    const std::uint64_t size_of_ends = blocks_of(plies.index_) * 4;
    if (bytes.size() < contexts || size_of_ends > bytes.size() - contexts)
        return Error{"its plies are cut off"};
    for (std::size_t i = 0; i < contexts; ++i)
        plies.probabilities_[i] = probability(bytes[i]);
    plies.ends_ = bytes.subspan(contexts, static_cast<std::size_t>(size_of_ends));
    plies.data_ = bytes.subspan(contexts + plies.ends_.size());
    return plies;
}

}  // namespace defiance
