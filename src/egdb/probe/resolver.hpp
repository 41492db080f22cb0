#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/probe.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance::detail {

/// Finds the value of a position from those of its successors, as far as probe(position) knows
/// them.
///
/// The unknown positions around it form a graph. It is expanded breadth first until the value is
/// the same whether the positions on the frontier are taken for wins or for losses.
template <class Rules, class Probe>
class Resolver {
public:
    /// Gives up after a probe that has set `is_stopped`.
    Resolver(const Position& root, int max_pieces, Probe probe, const bool& is_stopped)
        : max_pieces_(max_pieces),
          probe_(std::move(probe)),
          is_stopped_(is_stopped),
          root_side_(root.side) {
        add(root);
    }

    [[nodiscard]] std::optional<EgdbResult> resolve(std::size_t max_positions) {
        DEFIANCE_ASSERT(max_positions > 0);
        constexpr std::size_t lazy = 16;
        constexpr std::size_t growth = 4;
        for (std::size_t wanted = lazy;; wanted *= growth) {
            if (!expand(std::min(wanted, max_positions))) return std::nullopt;
            const EgdbResult worst = value_of_root(Frontier::bad);
            const EgdbResult best = value_of_root(Frontier::good);
            if (worst == best) return best;
            if (expanded_ < nodes_.size() && expanded_ < max_positions) continue;
            if (worst.wld != best.wld) return std::nullopt;
            return EgdbResult{best.wld, {}};
        }
    }

private:
    /// What is assumed of the positions on the frontier, for the side to move at the root.
    enum class Frontier { bad, good };

    struct Node {
        Position position;
        std::optional<EgdbResult> known;
        std::vector<std::uint32_t> children;
    };
    /// The value of a node so far; plies are 0 until it is decided.
    struct NodeValue {
        bool is_decided = false;
        Wld value = Wld::draw;
        int plies = 0;
    };

    std::uint32_t add(const Position& p) {
        const auto [entry, is_new] =
            numbers_.try_emplace(key_of(p), static_cast<std::uint32_t>(nodes_.size()));
        if (is_new) nodes_.push_back({p, std::nullopt, {}});
        return entry->second;
    }

    /// Expands nodes in the order in which they were found. False when there is one that no
    /// database can know, or a probe was stopped.
    bool expand(std::size_t wanted) {
        for (; expanded_ < nodes_.size() && expanded_ < wanted; ++expanded_) {
            const Position p = nodes_[expanded_].position;
            MoveList moves;
            generate_moves<Rules>(p, moves);
            if (moves.empty()) {
                nodes_[expanded_].known = EgdbResult{Wld::loss, 0};
                continue;
            }
            nodes_[expanded_].known = probe_(p);
            if (is_stopped_) return false;
            if (nodes_[expanded_].known) continue;
            if (count(p.occupied()) > max_pieces_ && !moves[0].is_capture()) return false;
            std::vector<std::uint32_t> children;
            for (const Move& move : moves)
                children.push_back(add(after<Rules>(p, move)));
            nodes_[expanded_].children = std::move(children);
        }
        return true;
    }

    [[nodiscard]] NodeValue frontier_value(const Node& node, Frontier frontier) const {
        const bool wins = (frontier == Frontier::good) == (node.position.side == root_side_);
        return {true, wins ? Wld::win : Wld::loss, wins ? 1 : 0};
    }

    /// The value of the root under this assumption about the frontier.
    [[nodiscard]] EgdbResult value_of_root(Frontier frontier) const {
        std::vector<NodeValue> values(nodes_.size());
        bool knows_dtw = true;
        int longest = 1;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (i >= expanded_) {
                values[i] = frontier_value(nodes_[i], frontier);
            } else if (const auto& known = nodes_[i].known) {
                knows_dtw &= known->wld == Wld::draw || known->dtw.has_value();
                values[i] = {true, known->wld, known->dtw.value_or(0)};
                longest = std::max(longest, values[i].plies);
            }
        }
        decide_undecided(values, longest);
        const NodeValue& root = values.front();
        DEFIANCE_ASSERT(!root.is_decided || root.plies >= 0);
        EgdbResult result{root.is_decided ? root.value : Wld::draw, {}};
        if (result.wld != Wld::draw && knows_dtw) result.dtw = root.plies;
        return result;
    }

    /// Decides ply by ply, so that the shortest win is found first, what follows from the values
    /// that are known; none of them has more than `longest` plies.
    void decide_undecided(std::vector<NodeValue>& values, int longest) const {
        std::vector<std::uint32_t> undecided;
        // A node is decided one ply after one of its children, so other plies bring nothing new.
        std::vector<bool> has_plies(static_cast<std::size_t>(longest) + 1);
        for (std::uint32_t i = 0; i < values.size(); ++i) {
            if (values[i].is_decided)
                has_plies[static_cast<std::size_t>(values[i].plies)] = true;
            else
                undecided.push_back(i);
        }
        for (std::size_t before = 0; before < has_plies.size(); ++before) {
            if (!has_plies[before]) continue;
            const int ply = static_cast<int>(before) + 1;
            const auto left = std::remove_if(
                undecided.begin(), undecided.end(),
                [&](std::uint32_t i) { return decide(nodes_[i], values, ply, values[i]); });
            if (left == undecided.end()) continue;
            undecided.erase(left, undecided.end());
            has_plies.resize(std::max(has_plies.size(), before + 2));
            has_plies[before + 1] = true;
        }
    }

    /// Decides a node if it is won or lost in exactly so many plies.
    [[nodiscard]] static bool decide(const Node& node, const std::vector<NodeValue>& values,
                                     int ply, NodeValue& found) {
        bool all_win = true;
        for (const std::uint32_t child : node.children) {
            DEFIANCE_ASSERT(child < values.size());
            const NodeValue& next = values[child];
            const bool counts = next.is_decided && next.plies < ply;
            if (counts && next.value == Wld::loss) {
                found = {true, Wld::win, ply};
                return true;
            }
            all_win &= counts && next.value == Wld::win;
        }
        if (all_win) found = {true, Wld::loss, ply};
        return all_win;
    }

    int max_pieces_;
    Probe probe_;
    const bool& is_stopped_;
    Side root_side_;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    std::size_t expanded_ = 0;
};

}  // namespace defiance::detail
