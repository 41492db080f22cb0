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

struct GrownTree {
    DecisionTree tree;
    double bits = 0;  ///< what the tree and the values of all positions will take, as estimated
};

/// Grows a tree that makes the values of the examples, and itself, as short as it can: at each node
/// the question that saves most, as long as one saves more than it takes. Each example stands for
/// `weight` positions. The examples change their order. The same on every machine.
[[nodiscard]] GrownTree grow_tree(std::vector<Example>& examples, double weight);

/// The tree to pack the values of a slice with, and about how many bits that will give.
template <class Rules>
[[nodiscard]] GrownTree tree_for(const SolvedSlice& slice);

/// Packs the values of a slice, with its tree; PackedSlice::open reads them. The same on every
/// machine.
template <class Rules>
[[nodiscard]] std::vector<std::uint8_t> pack_slice(const SolvedSlice& slice, GrownTree tree,
                                                   int threads);

}  // namespace defiance
