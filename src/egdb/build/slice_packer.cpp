#include "slice_packer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/base/random.hpp>
#include <defiance/egdb/build.hpp>

#include "egdb/codec/slice_codec.hpp"
#include "ribbon_maker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Positions from which a tree is built; of larger slices it is a sample.
constexpr std::uint64_t max_examples = 400'000;
/// Positions that a thread takes at a time.
constexpr std::uint64_t chunk_to_pack = 1 << 14;

}  // namespace

template <class Rules>
TreeDraft tree_for(const SolvedSlice& slice) {
    const SliceIndex& index = slice.index();
    std::vector<Example> examples;
    const auto add = [&](std::uint64_t number, const Position& p) {
        if (is_quiet<Rules>(p)) examples.push_back({features_of<Rules>(p), slice.value(number)});
    };
    const std::uint64_t step = 1 + index.size() / max_examples;
    if (step == 1) {
        index.for_each(0, index.size(), add);
    } else {
        // One of each row of positions: numbers in regular steps have patterns in common.
        Random random(1);
        for (std::uint64_t begin = 0; begin + step <= index.size(); begin += step) {
            const std::uint64_t number = begin + random.below(step);
            add(number, index.at(number));
        }
    }
    return build_tree(examples, static_cast<double>(step));
}

namespace {

/// Packs the values of one slice: two rounds over its positions.
template <class Rules>
class SlicePacker {
public:
    SlicePacker(const SolvedSlice& slice, const TreeDraft& tree, std::uint8_t seed,
                const PackerSettings& settings)
        : slice_(slice), tree_(tree), seed_(seed), settings_(settings) {
        for (const ValueCounts& counts : tree.leaves)
            guesses_.push_back(first_guess(counts));
    }

    /// The bytes; nothing when some keys are the same under this seed.
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> pack() {
        const auto filter_bytes = make_filter();
        if (!filter_bytes) return std::nullopt;
        const auto filter = Ribbon::open(*filter_bytes);
        DEFIANCE_ASSERT(filter);
        const auto corrections = make_corrections(filter->ribbon);
        if (!corrections) return std::nullopt;
        std::vector<std::uint8_t> bytes = {seed_};
        const std::vector<std::uint8_t> tree = tree_.packed(guesses_);
        for (const auto* part : {&tree, &*filter_bytes, &*corrections})
            bytes.insert(bytes.end(), part->begin(), part->end());
        return bytes;
    }

private:
    using Bits = std::vector<RibbonBit>;

    /// The guess of a leaf with a filter, even if all of its examples have the same value: others
    /// may not.
    [[nodiscard]] static Guess first_guess(const ValueCounts& counts) {
        const std::uint64_t all = counts[0] + counts[1] + counts[2];
        const std::uint64_t most = *std::ranges::max_element(counts);
        const std::uint64_t wrong = std::max<std::uint64_t>(1, all - most);
        return Guess::of_counts(counts).with_filter(best_filter(most, wrong).filter_bits);
    }

    /// Calls visit(leaf, position, value, thread) for all quiet positions and collects the bits
    /// that it adds.
    template <class Visit>
    [[nodiscard]] Bits collect(Visit visit) const {
        std::vector<Bits> of_thread(static_cast<std::size_t>(settings_.threads));
        parallel_for(slice_.index().size(), chunk_to_pack, settings_.threads,
                     [&](std::uint64_t begin, std::uint64_t end, int thread) {
                         const auto t = static_cast<std::size_t>(thread);
                         slice_.index().for_each(begin, end,
                                                 [&](std::uint64_t number, const Position& p) {
                                                     if (!is_quiet<Rules>(p)) return;
                                                     visit(tree_.leaf_for(features_of<Rules>(p)), p,
                                                           slice_.value(number), t, of_thread[t]);
                                                 });
                         if (settings_.progress != nullptr) *settings_.progress += end - begin;
                     });
        for (std::size_t t = 1; t < of_thread.size(); ++t) {
            of_thread[0].insert(of_thread[0].end(), of_thread[t].begin(), of_thread[t].end());
            of_thread[t] = {};
        }
        return std::move(of_thread[0]);
    }

    /// The filter. Guesses get to know all positions: which are sure, and which is the third value.
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> make_filter() {
        using Counts = std::vector<ValueCounts>;
        std::vector<Counts> counts(static_cast<std::size_t>(settings_.threads),
                                   Counts(guesses_.size()));
        const Bits bits = collect(
            [&](std::size_t leaf, const Position& p, Wld value, std::size_t t, Bits& of_thread) {
                ++counts[t][leaf][static_cast<std::size_t>(value)];
                if (value == guesses_[leaf].first()) return;
                const std::uint64_t key = ribbon_key(p, seed_);
                for (int i = 0; i < guesses_[leaf].filter_bits(); ++i)
                    of_thread.push_back({ribbon_key(key, static_cast<unsigned>(i)), true});
            });
        for (std::size_t leaf = 0; leaf < guesses_.size(); ++leaf) {
            ValueCounts all{};
            for (const Counts& of_thread : counts)
                for (std::size_t value = 0; value < all.size(); ++value)
                    all[value] += of_thread[leaf][value];
            guesses_[leaf] = guesses_[leaf].for_counts(all);
        }
        return make_ribbon(bits, settings_.threads);
    }

    [[nodiscard]] std::optional<std::vector<std::uint8_t>> make_corrections(
        const Ribbon& filter) const {
        return make_ribbon(
            collect(
                [&](std::size_t leaf, const Position& p, Wld value, std::size_t, Bits& of_thread) {
                    const Guess& guess = guesses_[leaf];
                    if (guess.is_sure()) return;
                    const std::uint64_t key = ribbon_key(p, seed_);
                    if (!PackedSlice::passes(filter, guess, key)) return;
                    const bool is_wrong = value != guess.first();
                    of_thread.push_back({ribbon_key(key, 0), is_wrong});
                    if (is_wrong && guess.has_third())
                        of_thread.push_back({ribbon_key(key, 1), value == guess.third()});
                }),
            settings_.threads);
    }

    const SolvedSlice& slice_;
    const TreeDraft& tree_;
    std::uint8_t seed_;
    const PackerSettings& settings_;
    std::vector<Guess> guesses_;  // by leaf
};

}  // namespace

template <class Rules>
std::vector<std::uint8_t> pack_slice(const SolvedSlice& slice, const TreeDraft& tree,
                                     const PackerSettings& settings) {
    DEFIANCE_ASSERT(settings.threads > 0);
    for (int seed = 0; seed < 256; ++seed)
        if (auto bytes =
                SlicePacker<Rules>(slice, tree, static_cast<std::uint8_t>(seed), settings).pack())
            return *std::move(bytes);
    DEFIANCE_ASSERT(!"keys of 64 bits are different under one of 256 seeds");
    return {};
}

template <class Rules>
PackedValues pack_values(const SolvedSlice& slice, const SolvedSlice& swapped,
                         const PackerSettings& settings) {
    if (&slice == &swapped)
        return {&slice, pack_slice<Rules>(slice, tree_for<Rules>(slice), settings)};
    DEFIANCE_ASSERT(swapped.index().material() == slice.index().material().swapped());
    // What a slice takes, with its plies.
    const auto bits_of = [](const SolvedSlice& of, const TreeDraft& its_tree) {
        // More than any slice takes where the plies cannot be kept.
        constexpr double too_many = 1e18;
        if (!of.has_dtw()) return its_tree.bits;
        const auto of_dtw = bits_of_dtw<Rules>(of);
        return its_tree.bits + (of_dtw ? static_cast<double>(*of_dtw) : too_many);
    };
    const std::array<const SolvedSlice*, 2> both = {&slice, &swapped};
    std::array<TreeDraft, 2> trees;
    std::array<double, 2> bits{};
    parallel_for(both.size(), 1, settings.threads,
                 [&](std::uint64_t begin, std::uint64_t end, int) {
                     for (auto i = static_cast<std::size_t>(begin); i < end; ++i) {
                         trees[i] = tree_for<Rules>(*both[i]);
                         bits[i] = bits_of(*both[i], trees[i]);
                     }
                 });
    const std::size_t smaller = bits[1] < bits[0] ? 1 : 0;
    return {both[smaller], pack_slice<Rules>(*both[smaller], trees[smaller], settings)};
}

template TreeDraft tree_for<DEFIANCE_GAME>(const SolvedSlice&);
template std::vector<std::uint8_t> pack_slice<DEFIANCE_GAME>(const SolvedSlice&, const TreeDraft&,
                                                             const PackerSettings&);
template PackedValues pack_values<DEFIANCE_GAME>(const SolvedSlice&, const SolvedSlice&,
                                                 const PackerSettings&);

}  // namespace defiance
