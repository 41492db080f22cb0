#pragma once

#include <cstdint>
#include <span>

#include <defiance/base/result.hpp>
#include <defiance/egdb/probe.hpp>

#include "decision_tree.hpp"
#include "ribbon.hpp"

namespace defiance {

/// The values of the quiet positions of a slice, read where a file has them: nothing is unpacked.
///
/// A decision tree guesses. Where guesses can be wrong, a filter tells of most positions that
/// theirs is right: its bits, some for each position, are all set if the guess is wrong, and any if
/// it is right. Of a position that it lets pass the corrections tell whether the guess is wrong
/// (bit 0), and where that can be, whether the value is the third (bit 1). Layout: seed of the keys
/// (8 bits), tree, ribbon of the filter, ribbon of the corrections.
class PackedSlice {
public:
    /// Looks through the bytes, which must live on. Error when they cannot be those of a slice.
    [[nodiscard]] static Result<PackedSlice> open(std::span<const std::uint8_t> bytes);

    /// The value of a quiet position with black to move. Any number of threads may ask.
    template <class Rules>
    [[nodiscard]] Wld value(const Position& p) const {
        const Guess guess = tree_.guess(features_of<Rules>(p));
        if (guess.is_sure()) return guess.first();
        const std::uint64_t key = ribbon_key(p, seed_);
        if (!passes(filter_, guess, key) || !corrections_.bit(ribbon_key(key, 0)))
            return guess.first();
        if (guess.has_third() && corrections_.bit(ribbon_key(key, 1))) return guess.third();
        return guess.second();
    }

    /// True when the filter cannot tell that the guess is right.
    [[nodiscard]] static bool passes(const Ribbon& filter, const Guess& guess, std::uint64_t key) {
        for (int i = 0; i < guess.filter_bits(); ++i)
            if (!filter.bit(ribbon_key(key, static_cast<unsigned>(i)))) return false;
        return true;
    }

private:
    PackedSlice(std::uint8_t seed, const DecisionTree& tree, const Ribbon& filter,
                const Ribbon& corrections)
        : seed_(seed), tree_(tree), filter_(filter), corrections_(corrections) {}

    std::uint8_t seed_;
    DecisionTree tree_;
    Ribbon filter_;
    Ribbon corrections_;
};

}  // namespace defiance
