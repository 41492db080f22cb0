#include <tools/expansion/drop_out_graph.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <tuple>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// Moves that give away more than this cost no more, so that costs stay small numbers.
constexpr std::int32_t max_drop = 500;

/// A value that goes up further than this has come into a cycle.
constexpr int max_steps_up = 100'000;

}  // namespace

ExpansionCosts ExpansionCosts::of_alpha(double alpha) {
    DEFIANCE_ASSERT(alpha >= 0 && alpha <= max_alpha);
    ExpansionCosts costs;
    costs.hundredth = static_cast<std::int32_t>(std::lround(alpha / 10 * costs.ply));
    return costs;
}

std::size_t DropOutGraph::batch_size() const {
    constexpr std::size_t least = 16;
    constexpr std::size_t most = 1024;
    constexpr std::size_t part = 64;
    return std::clamp(known_ / part, least, most);
}

DropOutGraph::Id DropOutGraph::id_of(const PositionKey& key) {
    const auto [place, is_new] = ids_.try_emplace(key, static_cast<Id>(nodes_.size()));
    if (is_new) {
        nodes_.emplace_back();
        nodes_.back().key = key;
    }
    return place->second;
}

DropOutGraph::Id DropOutGraph::find(const Position& position) const {
    const auto found = ids_.find(key_of_board(position));
    return found == ids_.end() ? none : found->second;
}

bool DropOutGraph::knows(const Position& position) const {
    const Id id = find(position);
    return id != none && nodes_[id].is_known;
}

DatabaseScore DropOutGraph::value(const Position& position) const {
    DEFIANCE_ASSERT(knows(position));
    return nodes_[find(position)].best;
}

std::vector<Position> DropOutGraph::parents(const Position& position) const {
    std::vector<Position> all;
    const Id id = find(position);
    if (id == none) return all;
    for (std::uint32_t i = nodes_[id].last_parent; i != none; i = parents_[i].previous)
        all.push_back(board_of(nodes_[parents_[i].from].key));
    std::sort(all.begin(), all.end(), [](const Position& a, const Position& b) {
        return std::tie(a.black, a.white, a.kings) < std::tie(b.black, b.white, b.kings);
    });
    return all;
}

void DropOutGraph::add_root(const Position& position, int plies) {
    DEFIANCE_ASSERT(plies >= 0);
    roots_.push_back({id_of(key_of_board(position)), plies * costs_.ply});
}

/// Sets the value of a known position from those of its moves; false when it is the same.
bool DropOutGraph::set_best(Node& node) const {
    DEFIANCE_ASSERT(node.is_known && node.moves > 0);
    const auto first = moves_.begin() + node.first_move;
    const auto best = std::max_element(first, first + node.moves, [](const Step& a, const Step& b) {
                          return a.score < b.score;
                      })->score;
    return std::exchange(node.best, best) != best;
}

void DropOutGraph::add(const Position& position, std::span<const KnownMove> moves) {
    const PositionKey key = key_of_board(position);
    const std::vector<CanonicalMove> legal = canonical_moves(rules_, board_of(key));
    DEFIANCE_ASSERT(moves.size() == legal.size() && !moves.empty());
    const Id id = id_of(key);
    if (nodes_[id].is_known) return;
    nodes_[id].first_move = static_cast<std::uint32_t>(moves_.size());
    nodes_[id].moves = static_cast<std::uint16_t>(moves.size());
    nodes_[id].is_known = true;
    ++known_;
    for (const KnownMove& move : moves) {
        DEFIANCE_ASSERT(move.index < legal.size());
        const Position& next = legal[move.index].after;
        const Id to = id_of(key_of_board(next));
        const bool is_over = move.source >= ScoreSource::database ||
                             count(next.occupied()) <= endgame_pieces_ ||
                             rules_.count_moves(next) == 0;
        const std::int16_t score = nodes_[to].is_known
                                       ? static_cast<std::int16_t>(score_of_move(nodes_[to].best))
                                       : move.score;
        parents_.push_back({id, static_cast<std::uint32_t>(moves_.size()), nodes_[to].last_parent});
        nodes_[to].last_parent = static_cast<std::uint32_t>(parents_.size() - 1);
        moves_.push_back({to, score, is_over});
    }
    static_cast<void>(set_best(nodes_[id]));
    propagate(id);
}

/// Takes the value of a position over into the known positions that lead to it, and so on.
void DropOutGraph::propagate(Id id) {
    std::deque<Id> changed = {id};
    for (int step = 0; !changed.empty() && step < max_steps_up; ++step) {
        const Node child = nodes_[changed.front()];
        changed.pop_front();
        const auto score = static_cast<std::int16_t>(score_of_move(child.best));
        for (std::uint32_t i = child.last_parent; i != none; i = parents_[i].previous) {
            if (std::exchange(moves_[parents_[i].step].score, score) == score) continue;
            if (set_best(nodes_[parents_[i].from])) changed.push_back(parents_[i].from);
        }
    }
}

std::int32_t DropOutGraph::cost_of(const Node& from, const Step& step) const {
    DEFIANCE_ASSERT(step.score <= from.best);
    return costs_.ply + costs_.hundredth * std::min<std::int32_t>(from.best - step.score, max_drop);
}

std::vector<ExpansionLeaf> DropOutGraph::cheapest(std::size_t most) const {
    // Dijkstra's algorithm. Positions of equal cost come in the order of their keys, so that the
    // order in which they were added does not matter.
    struct Reached {
        std::int32_t cost;
        PositionKey key;
        Id id;
        bool operator>(const Reached& other) const {
            return std::tie(cost, key.own, key.other, key.kings) >
                   std::tie(other.cost, other.key.own, other.key.other, other.key.kings);
        }
    };
    struct Line {
        std::int32_t cost = INT32_MAX;
        Id parent = none;
        std::int32_t ply = 0;
    };
    std::vector<Line> lines(nodes_.size());
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    const auto reach = [&](Id id, const Line& line) {
        if (line.cost >= lines[id].cost) return;
        lines[id] = line;
        queue.push({line.cost, nodes_[id].key, id});
    };
    for (const Root& root : roots_)
        reach(root.node, {root.cost, none, root.cost / costs_.ply});
    std::vector<ExpansionLeaf> leaves;
    while (!queue.empty() && leaves.size() < most) {
        const Reached at = queue.top();
        queue.pop();
        const Line& line = lines[at.id];
        if (at.cost != line.cost) continue;  // reached on a cheaper line before
        const Node& node = nodes_[at.id];
        if (!node.is_known) {
            ExpansionLeaf leaf;
            leaf.position = board_of(node.key);
            leaf.ply = static_cast<std::uint8_t>(
                std::min<std::int32_t>(line.ply, KnownPosition::max_ply_from_start));
            if (line.parent != none) leaf.parent = board_of(nodes_[line.parent].key);
            leaves.push_back(leaf);
            continue;
        }
        const std::int32_t ply = line.ply + 1;
        for (std::uint32_t i = 0; i < node.moves; ++i) {
            const Step& step = moves_[node.first_move + i];
            if (!step.is_over) reach(step.to, {at.cost + cost_of(node, step), at.id, ply});
        }
    }
    return leaves;
}

}  // namespace defiance
