#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>
#include <tools/posdb/known_position.hpp>
#include <tools/store/game_position.hpp>

namespace defiance {

/// What a step away from the roots costs: a ply, and a move that gives away a hundredth of a man.
struct ExpansionCosts {
    std::int32_t ply = 1000;
    std::int32_t hundredth = 300;

    /// Those of Lincke's alpha: how many plies a tenth of a man costs.
    static constexpr double default_alpha = 3;
    static constexpr int max_alpha = 100;
    [[nodiscard]] static ExpansionCosts of_alpha(double alpha);
};

/// A position that is not known yet and that a known one leads to.
struct ExpansionLeaf {
    Position position;               ///< black to move
    std::uint8_t ply = 0;            ///< from the root with the cheapest line to it
    std::optional<Position> parent;  ///< on that line; nothing for a root
};

/// The positions of a book that grows by drop-out expansion (T. R. Lincke, Strategies for the
/// Automatic Construction of Opening Books, 2000): the position to be searched next is the one with
/// the cheapest line from a root, where each move costs a ply and more the more it gives away. Both
/// sides play as the book would.
///
/// Values are minimax values at any time. What the graph gives does not depend on the order in
/// which the positions were added, unless known moves lead round, as those of kings on both sides
/// can: then several values agree with each other, and the order decides. For one thread.
class DropOutGraph {
public:
    /// Positions of at most `endgame_pieces` pieces are not to be searched.
    DropOutGraph(const GameRules& rules, const ExpansionCosts& costs, int endgame_pieces = 0)
        : rules_(rules), costs_(costs), endgame_pieces_(endgame_pieces) {}

    /// Lines begin here, with costs as after so many plies.
    void add_root(const Position& position, int plies);

    /// Makes a position known by the scores of all its moves.
    void add(const Position& position, std::span<const KnownMove> moves);

    [[nodiscard]] bool knows(const Position& position) const;
    /// Number of known positions.
    [[nodiscard]] std::size_t size() const { return known_; }

    /// How many leaves are worth choosing at once: few at first, when each of them tells much about
    /// which should be next.
    [[nodiscard]] std::size_t batch_size() const;

    /// The cheapest leaves, at most so many, in rising order of their costs.
    [[nodiscard]] std::vector<ExpansionLeaf> cheapest(std::size_t most) const;

    /// The known positions with a move to this one.
    [[nodiscard]] std::vector<Position> parents(const Position& position) const;

    /// The value of a known position for its mover.
    [[nodiscard]] DatabaseScore value(const Position& position) const;

private:
    using Id = std::uint32_t;
    static constexpr Id none = UINT32_MAX;

    struct Node {
        PositionKey key;
        std::uint32_t first_move = 0;  // in moves_
        std::uint16_t moves = 0;
        std::int16_t best = 0;
        std::uint32_t last_parent = none;  // in parents_
        bool is_known = false;
    };
    struct Step {
        Id to;
        std::int16_t score;
        bool is_over;  // nothing is to be searched after it
    };
    struct ParentLink {
        Id from;
        std::uint32_t step;      // in moves_
        std::uint32_t previous;  // in parents_
    };
    struct Root {
        Id node;
        std::int32_t cost;
    };

    [[nodiscard]] Id id_of(const PositionKey& key);
    [[nodiscard]] Id find(const Position& position) const;
    [[nodiscard]] bool set_best(Node& node) const;
    void propagate(Id id);
    [[nodiscard]] std::int32_t cost_of(const Node& from, const Step& step) const;

    const GameRules& rules_;
    const ExpansionCosts costs_;
    const int endgame_pieces_;
    std::vector<Node> nodes_;
    std::vector<Step> moves_;
    std::vector<ParentLink> parents_;
    std::vector<Root> roots_;
    std::unordered_map<PositionKey, Id, PositionKeyHash> ids_;
    std::size_t known_ = 0;
};

}  // namespace defiance
