#pragma once

#include <cstdint>
#include <vector>

#include <defiance/egdb/solved_slice.hpp>

#include "egdb/codec/decision_tree.hpp"

namespace defiance {

/// A position as the tree sees it, with its value.
struct Example {
    Features features;
    Wld value = Wld::draw;
};

struct BuiltTree {
    DecisionTree tree;
    double bits = 0;  ///< what the tree and the values of all positions will take, as estimated
};

/// Builds a tree that makes the values of the examples, and itself, short: greedily, at each node
/// the question that saves most, as long as one saves more than it costs. Each example stands for
/// `weight` positions. The examples change their order. The same on every machine.
[[nodiscard]] BuiltTree build_tree(std::vector<Example>& examples, double weight);

/// The tree to pack the values of a slice with, and about how many bits that will give.
template <class Rules>
[[nodiscard]] BuiltTree tree_for(const SolvedSlice& slice);

/// Packs the values of a slice, with its tree; PackedSlice::open reads them. The same on every
/// machine.
template <class Rules>
[[nodiscard]] std::vector<std::uint8_t> pack_slice(const SolvedSlice& slice, BuiltTree tree,
                                                   int threads);

}  // namespace defiance
