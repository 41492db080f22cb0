#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/solved_slice.hpp>

#include "decision_tree.hpp"
#include "features.hpp"

namespace defiance {

/// The values of a block, as numbers.
using BlockValues = std::array<std::uint8_t, positions_per_block>;

/// Goes through the positions of a block in their order and has decide(number, features) give the
/// value of each that is quiet. The others get the value of the one before; their values mean
/// nothing.
template <class Rules, class Decide>
void walk_block(const SliceIndex& index, std::uint64_t block, BlockValues& values, Decide decide) {
    const std::uint64_t begin = block * positions_per_block;
    const std::uint64_t end = std::min(begin + positions_per_block, index.size());
    ValueHistory history(index, values);
    index.for_each(begin, end, [&](std::uint64_t number, const Position& p) {
        if (!is_quiet<Rules>(p)) {
            history.skip();
            return;
        }
        Features features = features_of(p);
        features.words[0] |= history.features();
        history.add(static_cast<std::uint8_t>(decide(number, features)));
    });
}

/// The values of a slice as a file keeps them: a tree, a number for each block, the blocks.
///
/// The number of a block in which all quiet positions have the same value is that value, and it has
/// no bytes; that of another is the number of its bytes and three. Numbers are written with seven
/// bits a byte, the lowest first, the highest bit set where more follow.
class PackedSlice {
public:
    /// Takes the bytes apart; they must live on. Error when they cannot be those of this slice.
    [[nodiscard]] static Result<PackedSlice> open(const Material& material,
                                                  std::span<const std::uint8_t> bytes);

    [[nodiscard]] const SliceIndex& index() const { return index_; }
    [[nodiscard]] std::uint64_t blocks() const { return blocks_.size(); }

    /// Unpacks one block. May be called by many threads at once.
    template <class Rules>
    void unpack(std::uint64_t block, BlockValues& values) const {
        const Block& packed = blocks_[static_cast<std::size_t>(block)];
        if (packed.only_value != several_values) {
            values.fill(packed.only_value);
            return;
        }
        RangeDecoder decoder(data_.subspan(packed.begin, packed.length));
        walk_block<Rules>(index_, block, values, [&](std::uint64_t, const Features& features) {
            return tree_.model(tree_.leaf_for(features)).decode(decoder);
        });
    }

private:
    static constexpr std::uint8_t several_values = 3;
    struct Block {
        std::uint32_t begin = 0;  // in the data
        std::uint16_t length = 0;
        std::uint8_t only_value = several_values;
    };

    explicit PackedSlice(const Material& material) : index_(material) {}

    SliceIndex index_;
    DecisionTree tree_;
    std::vector<Block> blocks_;
    std::span<const std::uint8_t> data_;
};

/// Number of blocks of a slice.
[[nodiscard]] inline std::uint64_t blocks_of(const SliceIndex& index) {
    return (index.size() + positions_per_block - 1) / positions_per_block;
}

}  // namespace defiance
