#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/probe.hpp>

#include "features.hpp"
#include "range_coder.hpp"

namespace defiance {

/// How the values of positions with the same features are coded: the values by their frequency, and
/// how probable it is that a position has not the first, and then not the second.
///
/// A position's value is coded as up to two bits, "not the first" and "not the second". Where all
/// positions have the same value nothing is coded.
class SymbolModel {
public:
    static constexpr int orders = 6;
    static constexpr int first_levels = 32;  ///< level 0: always the first
    static constexpr int second_levels = 8;  ///< level 0: never the third

    SymbolModel() = default;
    /// From the numbers that a file has; each must be below its limit.
    SymbolModel(int order, int first_level, int second_level);
    /// From how many positions have each value.
    [[nodiscard]] static SymbolModel of_counts(const std::array<std::uint64_t, 3>& counts);

    [[nodiscard]] int order() const { return order_; }
    [[nodiscard]] int first_level() const { return first_level_; }
    [[nodiscard]] int second_level() const { return second_level_; }

    void encode(Wld value, RangeEncoder& encoder) const {
        if (first_level_ == 0) return;
        encoder.code(value != values_[0], not_first_);
        if (value != values_[0] && second_level_ != 0)
            encoder.code(value != values_[1], not_second_);
    }
    [[nodiscard]] Wld decode(RangeDecoder& decoder) const {
        if (first_level_ == 0 || !decoder.decode(not_first_)) return values_[0];
        return second_level_ != 0 && decoder.decode(not_second_) ? values_[2] : values_[1];
    }

private:
    std::array<Wld, 3> values_{Wld::draw, Wld::win, Wld::loss};
    Probability not_first_ = 1;
    Probability not_second_ = 1;
    std::uint8_t order_ = 0;
    std::uint8_t first_level_ = 0;
    std::uint8_t second_level_ = 0;
};

/// Questions for features that lead to a model. One per slice.
class DecisionTree {
public:
    /// A question or a leaf.
    class Node {
    public:
        Node(std::uint32_t feature, std::size_t target)
            : packed_(feature | static_cast<std::uint32_t>(target) << 8) {}

        /// What is asked, or `leaf`.
        [[nodiscard]] std::uint32_t feature() const { return packed_ & 255; }
        /// Of a leaf: the number of its model. Otherwise the node to go to if the answer is yes;
        /// the next node is that for no.
        [[nodiscard]] std::size_t target() const { return packed_ >> 8; }
        void set_target(std::size_t target) { *this = Node(feature(), target); }

    private:
        std::uint32_t packed_;
    };
    static constexpr std::uint32_t leaf = 255;
    static constexpr std::size_t max_nodes = 1 << 20;

    /// A tree with one leaf.
    DecisionTree() : nodes_{{leaf, 0}}, models_(1) {}
    /// From nodes in order, the one for no after each question; the models are set afterwards.
    explicit DecisionTree(std::vector<Node> nodes, std::size_t leaves)
        : nodes_(std::move(nodes)), models_(leaves) {}

    [[nodiscard]] std::size_t leaf_for(const Features& features) const {
        std::size_t at = 0;
        for (;;) {
            DEFIANCE_ASSERT(at < nodes_.size());
            const Node node = nodes_[at];
            if (node.feature() == leaf) return node.target();
            at = features.has(node.feature()) ? node.target() : at + 1;
        }
    }
    [[nodiscard]] const SymbolModel& model(std::size_t leaf_number) const {
        DEFIANCE_ASSERT(leaf_number < models_.size());
        return models_[leaf_number];
    }
    void set_model(std::size_t leaf_number, const SymbolModel& model) {
        DEFIANCE_ASSERT(leaf_number < models_.size());
        models_[leaf_number] = model;
    }
    [[nodiscard]] std::size_t leaves() const { return models_.size(); }

    /// The bytes that a file keeps.
    [[nodiscard]] std::vector<std::uint8_t> packed() const;

    struct Unpacked;
    /// Reads a tree from the beginning of the bytes. Nothing if they are not one.
    [[nodiscard]] static std::optional<Unpacked> unpack(std::span<const std::uint8_t> bytes);

private:
    std::vector<Node> nodes_;
    std::vector<SymbolModel> models_;
};

struct DecisionTree::Unpacked {
    DecisionTree tree;
    std::size_t bytes;  ///< how many it takes
};

}  // namespace defiance
