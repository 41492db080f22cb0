#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/eval/network.hpp>

namespace defiance {

/// The positions from the root of a search to the current node, with the accumulators of a network.
/// An accumulator is computed only when its position or one below it is evaluated. It is kept with
/// the evaluation until another position at its ply needs one: razoring, ProbCut, its verification
/// and second searches ask for the same one. For one thread.
class AccumulatorStack {
public:
    /// For nodes at ply 0 to `last_ply`.
    explicit AccumulatorStack(int last_ply) : nodes_(static_cast<std::size_t>(last_ply) + 1) {}

    /// Starts with a root position; the network must live as long as it is used here.
    void start(const Network& network, const Position& root) {
        if (accumulators_.data() == nullptr || size_ != network.accumulator_size())
            accumulators_ = AlignedArray<std::int16_t>(network.accumulator_size() * nodes_.size());
        network_ = &network;
        size_ = network.accumulator_size();
        std::fill(nodes_.begin(), nodes_.end(), Node{});
        nodes_[0] = {root, root};
        network.refresh(root, accumulator(0));
    }

    /// The position of the current line at this ply; those before it are set already. The sides
    /// take turns from the root on.
    void set(int ply, const Position& position) {
        DEFIANCE_ASSERT(ply >= 0 && static_cast<std::size_t>(ply) < nodes_.size());
        Node& node = nodes_[static_cast<std::size_t>(ply)];
        node.position = position;
        node.has_one_move = false;
    }
    /// The position at this ply, which is set, has one legal move only.
    void mark_forced(int ply) { nodes_[static_cast<std::size_t>(ply)].has_one_move = true; }

    /// The evaluation of the position at this ply for the side to move.
    [[nodiscard]] Score evaluate(int ply) {
        DEFIANCE_ASSERT(network_ != nullptr);
        const auto here = static_cast<std::size_t>(ply);
        if (!is_current(here)) {
            DEFIANCE_ASSERT(here > 0);
            std::size_t ancestor = here - 1;
            while (!is_current(ancestor)) {
                DEFIANCE_ASSERT(ancestor > 0);
                --ancestor;
            }
            // The parent's accumulator serves all its children, if there are several.
            if (ancestor + 1 < here && !nodes_[here - 1].has_one_move) {
                compute(here - 1, ancestor);
                ancestor = here - 1;
            }
            compute(here, ancestor);
        }
        Node& node = nodes_[here];
        DEFIANCE_ASSERT(node.computed.side == node.position.side);
        if (!node.has_evaluation) {
            node.evaluation = network_->evaluate(node.computed, accumulator(here));
            node.has_evaluation = true;
        }
        return node.evaluation;
    }

private:
    struct Node {
        Position position;     ///< of the current line
        Position computed;     ///< the one that the accumulator is of
        Score evaluation = 0;  ///< of that one
        bool has_evaluation = false;
        bool has_one_move = false;  ///< the position of the current line
    };

    [[nodiscard]] bool is_current(std::size_t ply) const {
        const Node& node = nodes_[ply];
        return node.computed.black == node.position.black &&
               node.computed.white == node.position.white &&
               node.computed.kings == node.position.kings;
    }

    void compute(std::size_t ply, std::size_t ancestor) {
        DEFIANCE_ASSERT(ancestor < ply && is_current(ancestor));
        Node& node = nodes_[ply];
        network_->update(nodes_[ancestor].computed, accumulator(ancestor), node.position,
                         accumulator(ply));
        node.computed = node.position;
        node.has_evaluation = false;
    }

    [[nodiscard]] std::int16_t* accumulator(std::size_t ply) {
        return accumulators_.data() + ply * size_;
    }

    const Network* network_ = nullptr;
    std::size_t size_ = 0;
    AlignedArray<std::int16_t> accumulators_;
    std::vector<Node> nodes_;
};

}  // namespace defiance
