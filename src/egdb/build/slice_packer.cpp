#include "slice_packer.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/egdb/build.hpp>

#include "egdb/codec/slice_codec.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Positions scanned, and examples taken from them, to build a tree.
constexpr std::uint64_t max_scanned = std::uint64_t{3} << 20;
constexpr std::uint64_t max_examples = 400'000;

}  // namespace

template <class Rules>
BuiltTree tree_for(const SolvedSlice& slice) {
    const SliceIndex& index = slice.index();
    const std::uint64_t blocks = blocks_of(index);
    const std::uint64_t block_step = std::max<std::uint64_t>(1, index.size() / max_scanned);
    const std::uint64_t scanned = index.size() / block_step;
    const std::uint64_t example_step = std::max<std::uint64_t>(1, scanned / max_examples);
    std::vector<Example> examples;
    std::uint64_t seen = 0;
    BlockValues values;
    for (std::uint64_t block = 0; block < blocks; block += block_step)
        walk_block<Rules>(index, block, values,
                          [&](std::uint64_t number, const Features& features) {
                              const Wld value = slice.value(number);
                              if (seen++ % example_step == 0) examples.push_back({features, value});
                              return value;
                          });
    return build_tree(examples, static_cast<double>(block_step * example_step));
}

namespace {

/// Sets the model of each leaf by the values of all positions of the slice.
template <class Rules>
void set_models(DecisionTree& tree, const SolvedSlice& slice, int threads) {
    using Counts = std::vector<std::array<std::uint64_t, 3>>;
    std::vector<Counts> by_thread(static_cast<std::size_t>(threads), Counts(tree.leaves()));
    parallel_for(
        blocks_of(slice.index()), 1, threads, [&](std::uint64_t block, std::uint64_t, int thread) {
            Counts& counts = by_thread[static_cast<std::size_t>(thread)];
            BlockValues values;
            walk_block<Rules>(
                slice.index(), block, values, [&](std::uint64_t number, const Features& features) {
                    const Wld value = slice.value(number);
                    ++counts[tree.leaf_for(features)][static_cast<std::size_t>(value)];
                    return value;
                });
        });
    for (std::size_t leaf = 0; leaf < tree.leaves(); ++leaf) {
        std::array<std::uint64_t, 3> all{};
        for (const Counts& counts : by_thread)
            for (std::size_t value = 0; value < 3; ++value)
                all[value] += counts[leaf][value];
        tree.set_model(leaf, SymbolModel::of_counts(all));
    }
}

/// A block before it is written: its number in the list, and its bytes.
struct PackedBlock {
    std::uint32_t number = 0;
    std::vector<std::uint8_t> bytes;
};

template <class Rules>
PackedBlock pack_block(const DecisionTree& tree, const SolvedSlice& slice, std::uint64_t block) {
    RangeEncoder encoder;
    BlockValues values;
    std::optional<Wld> first;
    bool is_one_value = true;
    walk_block<Rules>(slice.index(), block, values,
                      [&](std::uint64_t number, const Features& features) {
                          const Wld value = slice.value(number);
                          if (!first) first = value;
                          is_one_value &= value == *first;
                          tree.model(tree.leaf_for(features)).encode(value, encoder);
                          return value;
                      });
    if (is_one_value) return {static_cast<std::uint32_t>(first.value_or(Wld::draw)), {}};
    PackedBlock packed{0, encoder.take()};
    packed.number = static_cast<std::uint32_t>(packed.bytes.size()) + 3;
    DEFIANCE_ASSERT(packed.number <= 0xFFFF);
    return packed;
}

void append_number(std::uint32_t number, std::vector<std::uint8_t>& bytes) {
    for (; number > 127; number >>= 7)
        bytes.push_back(static_cast<std::uint8_t>((number & 127) | 128));
    bytes.push_back(static_cast<std::uint8_t>(number));
}

}  // namespace

template <class Rules>
std::vector<std::uint8_t> pack_slice(const SolvedSlice& slice, BuiltTree built, int threads) {
    DEFIANCE_ASSERT(threads > 0);
    DecisionTree tree = std::move(built.tree);
    set_models<Rules>(tree, slice, threads);
    std::vector<PackedBlock> blocks(static_cast<std::size_t>(blocks_of(slice.index())));
    parallel_for(blocks.size(), 1, threads, [&](std::uint64_t block, std::uint64_t, int) {
        blocks[static_cast<std::size_t>(block)] = pack_block<Rules>(tree, slice, block);
    });
    std::vector<std::uint8_t> bytes = tree.packed();
    for (const PackedBlock& block : blocks)
        append_number(block.number, bytes);
    for (const PackedBlock& block : blocks)
        bytes.insert(bytes.end(), block.bytes.begin(), block.bytes.end());
    return bytes;
}

template <class Rules>
PackedValues pack_values(const SolvedSlice& slice, const SolvedSlice& swapped, int threads) {
    if (&slice == &swapped)
        return {&slice, pack_slice<Rules>(slice, tree_for<Rules>(slice), threads)};
    BuiltTree tree;
    DEFIANCE_ASSERT(swapped.index().material() == slice.index().material().swapped());
    std::thread helper([&] { tree = tree_for<Rules>(slice); });
    BuiltTree other = tree_for<Rules>(swapped);
    helper.join();
    const bool take_other = other.bits < tree.bits;
    const SolvedSlice& smaller = take_other ? swapped : slice;
    BuiltTree& its_tree = take_other ? other : tree;
    return {&smaller, pack_slice<Rules>(smaller, std::move(its_tree), threads)};
}

template BuiltTree tree_for<DEFIANCE_GAME>(const SolvedSlice&);
template std::vector<std::uint8_t> pack_slice<DEFIANCE_GAME>(const SolvedSlice&, BuiltTree, int);
template PackedValues pack_values<DEFIANCE_GAME>(const SolvedSlice&, const SolvedSlice&, int);

}  // namespace defiance
