#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <defiance/egdb/build.hpp>
#include <defiance/egdb/solved_slice.hpp>

#include "egdb/codec/decision_tree.hpp"

namespace defiance {

/// A position as the tree sees it, with its value.
struct Example {
    PositionFeatures features;
    Wld value = Wld::draw;
};

/// A decision tree whose leaves have numbers and no guesses yet.
struct TreeDraft {
    struct Node {
        std::uint8_t feature = DecisionTree::leaf;
        /// Of a leaf: its number. Otherwise the node for yes; the next node is that for no.
        std::size_t target = 0;
    };
    std::vector<Node> nodes;
    /// How many positions of each leaf have each value, as estimated from the examples.
    std::vector<ValueCounts> leaves;
    /// What the tree and the values of all positions will take, as estimated.
    double bits = 0;

    [[nodiscard]] std::size_t leaf_for(const PositionFeatures& features) const {
        std::size_t at = 0;
        while (nodes[at].feature != DecisionTree::leaf)
            at = features.has(nodes[at].feature) ? nodes[at].target : at + 1;
        return nodes[at].target;
    }
    /// The bytes of the tree with these guesses, one for each leaf; DecisionTree::open reads them.
    [[nodiscard]] std::vector<std::uint8_t> packed(std::span<const Guess> guesses) const;
};

/// Builds a tree that makes the values of the examples, and itself, short: greedily, at each node
/// the question that saves most, as long as one saves more than it costs. Each example stands for
/// `weight` positions. The examples change their order. The same on every machine.
[[nodiscard]] TreeDraft build_tree(std::vector<Example>& examples, double weight);

/// The tree to pack the values of a slice with.
template <class Rules>
[[nodiscard]] TreeDraft tree_for(const SolvedSlice& slice);

/// Packs the values of a slice, with its tree; PackedSlice::open reads them. The same on every
/// machine, with any number of threads.
template <class Rules>
[[nodiscard]] std::vector<std::uint8_t> pack_slice(const SolvedSlice& slice, const TreeDraft& tree,
                                                   const PackerSettings& settings);

/// About how many bits the plies of a slice that has them will take; nothing when they cannot be
/// packed.
template <class Rules>
[[nodiscard]] std::optional<std::uint64_t> bits_of_dtw(const SolvedSlice& slice);

}  // namespace defiance
