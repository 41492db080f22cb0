// Washburn's deterministic graphical games (Int. J. of Game Theory 19, 1990), solved from the
// largest scores down.

#include <tools/posdb/king_cycles.hpp>

#include <algorithm>
#include <cstdlib>
#include <queue>
#include <tuple>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr std::size_t outside = CyclePosition::outside;

/// What a position is worth, and how many moves within the cycle it takes to get out of it.
struct CycleValue {
    DatabaseScore score = 0;
    int steps = 0;
    std::size_t position = 0;

    /// For a queue: that the other one is settled first, because no value that is found later can
    /// be further from 0, or get there sooner.
    friend bool operator<(const CycleValue& a, const CycleValue& b) {
        return std::tuple(std::abs(a.score), -a.steps, b.position) <
               std::tuple(std::abs(b.score), -b.steps, a.position);
    }
};

class CycleSolver {
public:
    explicit CycleSolver(std::vector<CyclePosition>& cycle) : cycle_(cycle), nodes_(cycle.size()) {}

    void solve();

private:
    struct Node {
        std::vector<std::size_t> from;  ///< positions with a move to this one
        std::size_t open = 0;           ///< moves to positions that are not settled
        bool is_settled = false;        ///< otherwise it is drawn
        DatabaseScore score = 0;
        int steps = 0;
        int depth = 0;  ///< of the best move
    };

    void begin();
    void settle(const CycleValue& value);
    void find_loss(std::size_t at);
    [[nodiscard]] bool is_on_the_way(const Node& node, const KnownMove& move,
                                     const Node& next) const;
    [[nodiscard]] int depth_through(const Node& node, const KnownMove& move,
                                    const Node& next) const;
    void write(std::size_t at);
    void write_depths(std::size_t at);

    std::vector<CyclePosition>& cycle_;
    std::vector<Node> nodes_;
    std::vector<std::size_t> order_;  ///< in which positions were settled
    std::priority_queue<CycleValue> waiting_;
};

void CycleSolver::begin() {
    for (std::size_t at = 0; at < cycle_.size(); ++at) {
        const CyclePosition& position = cycle_[at];
        DEFIANCE_ASSERT(position.moves.size() == position.to.size());
        DatabaseScore best = 0;
        for (std::size_t i = 0; i < position.moves.size(); ++i) {
            if (position.to[i] == outside) {
                best = std::max<DatabaseScore>(best, position.moves[i].score);
                continue;
            }
            nodes_[position.to[i]].from.push_back(at);
            ++nodes_[at].open;
        }
        if (best > 0) waiting_.push({best, 0, at});
        if (nodes_[at].open == 0) find_loss(at);
    }
}

/// Of a position all of whose moves lead out or are settled.
void CycleSolver::find_loss(std::size_t at) {
    const CyclePosition& position = cycle_[at];
    DatabaseScore best = -proven_score;
    int steps = 0;
    for (std::size_t i = 0; i < position.moves.size(); ++i) {
        const bool is_out = position.to[i] == outside;
        const DatabaseScore score = is_out ? DatabaseScore{position.moves[i].score}
                                           : score_of_move(nodes_[position.to[i]].score);
        const int after = is_out ? 0 : nodes_[position.to[i]].steps + 1;
        if (score > best) steps = after;
        if (score == best) steps = std::max(steps, after);
        best = std::max(best, score);
    }
    if (best < 0) waiting_.push({best, steps, at});
}

void CycleSolver::settle(const CycleValue& value) {
    Node& node = nodes_[value.position];
    if (node.is_settled) return;
    node.is_settled = true;
    node.score = value.score;
    node.steps = value.steps;
    order_.push_back(value.position);
    for (const std::size_t before : node.from) {
        Node& other = nodes_[before];
        --other.open;
        if (other.is_settled) continue;
        const DatabaseScore score = score_of_move(node.score);
        if (score > 0)
            waiting_.push({score, node.steps + 1, before});
        else if (other.open == 0)
            find_loss(before);
    }
}

/// Whether a move within the cycle leads out in the end, if it is a best one.
bool CycleSolver::is_on_the_way(const Node& node, const KnownMove& move, const Node& next) const {
    if (node.score == 0 && next.score == 0) return false;
    return node.score <= 0 || move.score != node.score ||
           std::abs(next.score) > std::abs(node.score) || next.steps < node.steps;
}

int CycleSolver::depth_through(const Node& node, const KnownMove& move, const Node& next) const {
    constexpr int most = 255;
    return is_on_the_way(node, move, next) ? std::min(next.depth + 1, most) : 0;
}

void CycleSolver::write(std::size_t at) {
    CyclePosition& position = cycle_[at];
    for (std::size_t i = 0; i < position.moves.size(); ++i) {
        if (position.to[i] == outside) continue;
        KnownMove& move = position.moves[i];
        move.score = static_cast<std::int16_t>(score_of_move(nodes_[position.to[i]].score));
        move.source = ScoreSource::expansion;
    }
}

void CycleSolver::write_depths(std::size_t at) {
    CyclePosition& position = cycle_[at];
    for (std::size_t i = 0; i < position.moves.size(); ++i)
        if (position.to[i] != outside)
            position.moves[i].depth = static_cast<std::uint8_t>(
                depth_through(nodes_[at], position.moves[i], nodes_[position.to[i]]));
}

void CycleSolver::solve() {
    begin();
    while (!waiting_.empty()) {
        const CycleValue value = waiting_.top();
        waiting_.pop();
        settle(value);
    }
    for (std::size_t at = 0; at < cycle_.size(); ++at) {
        write(at);
        if (!nodes_[at].is_settled) order_.push_back(at);
    }
    // The best move of each leads to one before it in this order, or out, or draws.
    for (const std::size_t at : order_) {
        write_depths(at);
        nodes_[at].depth = best_move_of(cycle_[at].moves).depth;
        DEFIANCE_ASSERT(best_move_of(cycle_[at].moves).score == nodes_[at].score);
    }
    for (const std::size_t at : order_)
        write_depths(at);
}

/// Whether every best move of a position that is not drawn leads out or to one that is marked.
bool leads_to_marked(const CyclePosition& position, const std::vector<bool>& is_marked) {
    const DatabaseScore best = best_move_of(position.moves).score;
    bool has_way = false;
    for (std::size_t i = 0; i < position.moves.size(); ++i) {
        const KnownMove& move = position.moves[i];
        if (move.score != best || (best > 0 && move.is_detour())) continue;
        if (position.to[i] != outside && !is_marked[position.to[i]]) return false;
        has_way = true;
    }
    return has_way;
}

/// Whether the scores within are those of the positions after the moves.
bool agree(const std::vector<CyclePosition>& cycle) {
    for (const CyclePosition& position : cycle)
        for (std::size_t i = 0; i < position.moves.size(); ++i) {
            if (position.to[i] == outside) continue;
            const KnownMove& move = position.moves[i];
            const DatabaseScore next = best_move_of(cycle[position.to[i]].moves).score;
            if (move.source != ScoreSource::expansion || move.score != score_of_move(next))
                return false;
        }
    return true;
}

/// Whether scores agree already, and no best line other than a draw goes round.
bool is_settled(const std::vector<CyclePosition>& cycle) {
    if (!agree(cycle)) return false;
    std::vector<bool> is_marked;
    for (const CyclePosition& position : cycle)
        is_marked.push_back(best_move_of(position.moves).score == 0);
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (std::size_t at = 0; at < cycle.size(); ++at) {
            if (is_marked[at] || !leads_to_marked(cycle[at], is_marked)) continue;
            is_marked[at] = true;
            is_changed = true;
        }
    }
    return std::find(is_marked.begin(), is_marked.end(), false) == is_marked.end();
}

}  // namespace

void settle_cycle(std::vector<CyclePosition>& cycle) {
    if (!is_settled(cycle)) CycleSolver(cycle).solve();
}

}  // namespace defiance
