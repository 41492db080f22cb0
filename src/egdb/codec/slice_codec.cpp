#include "slice_codec.hpp"

#include "dtw_codec.hpp"

namespace defiance {

Result<PackedSlice> PackedSlice::open(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return Error{"its values are cut off"};
    std::span<const std::uint8_t> rest = bytes.subspan(1);
    const auto tree = DecisionTree::open(rest);
    if (!tree) return Error{"its decision tree is damaged"};
    rest = rest.subspan(tree->bytes);
    const auto filter = Ribbon::open(rest);
    if (!filter) return Error{"its filter is damaged"};
    rest = rest.subspan(filter->bytes);
    const auto corrections = Ribbon::open(rest);
    if (!corrections || corrections->bytes != rest.size())
        return Error{"its corrections are damaged"};
    return PackedSlice(bytes[0], tree->tree, filter->ribbon, corrections->ribbon);
}

Result<PackedDtw> PackedDtw::open(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return Error{"its plies are cut off"};
    std::span<const std::uint8_t> rest = bytes.subspan(1);
    PackedDtw plies;
    plies.seed_ = bytes[0];
    for (HuffmanCode& code : plies.codes_) {
        const auto opened = HuffmanCode::open(rest);
        if (!opened) return Error{"a code of its plies is damaged"};
        code = opened->code;
        rest = rest.subspan(opened->bytes);
    }
    const auto ribbon = Ribbon::open(rest);
    if (!ribbon || ribbon->bytes != rest.size()) return Error{"its plies are damaged"};
    plies.bits_ = ribbon->ribbon;
    return plies;
}

}  // namespace defiance
