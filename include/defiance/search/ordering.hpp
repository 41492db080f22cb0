#pragma once

#include <array>
#include <cstdint>

#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/score.hpp>
#include <defiance/search/table.hpp>

namespace defiance {

/// Remembers which quiet moves caused cut-offs, to try them first elsewhere.
class MoveHistory {
public:
    void clear() { *this = {}; }

    /// A quiet move caused a cut-off at this depth after those in `tried` had not.
    void reward(Side side, const Move& move, int depth, int ply) {
        adjust(entry(side, move), bonus(depth));
        auto& killers = killers_[static_cast<unsigned>(ply)];
        if (killers[0] == move) return;
        killers[1] = killers[0];
        killers[0] = move;
    }
    void punish(Side side, const Move& move, int depth) {
        adjust(entry(side, move), -bonus(depth));
    }

    [[nodiscard]] int value(Side side, const Move& move) const {
        return table_[static_cast<unsigned>(side)][move.from][move.to];
    }
    /// 2 or 1 for the killers of this ply, else 0.
    [[nodiscard]] int killer_rank(const Move& move, int ply) const {
        const auto& killers = killers_[static_cast<unsigned>(ply)];
        return killers[0] == move ? 2 : killers[1] == move ? 1 : 0;
    }

private:
    static constexpr int ceiling = 1 << 14;

    [[nodiscard]] static int bonus(int depth) { return depth > 30 ? 1800 : 60 * depth; }
    [[nodiscard]] std::int32_t& entry(Side side, const Move& move) {
        return table_[static_cast<unsigned>(side)][move.from][move.to];
    }
    // Pulls towards +-ceiling, the more slowly the nearer it is, so that values stay in bounds.
    static void adjust(std::int32_t& value, int amount) {
        value += amount - value * (amount < 0 ? -amount : amount) / ceiling;
    }

    std::array<std::array<std::array<std::int32_t, 32>, 32>, 2> table_{};
    std::array<std::array<Move, 2>, max_ply + 1> killers_{};
};

/// Hands out the moves of a list, the most promising first. Equal ones keep the generator's order,
/// so the order is the same on every build.
class MovePicker {
public:
    MovePicker(const Position& position, MoveList& moves, const MoveHint& hint,
               const MoveHistory& history, int ply)
        : moves_(moves) {
        for (std::size_t i = 0; i < moves.size(); ++i)
            values_[i] = value_of(position, moves[i], hint, history, ply);
    }

    /// The next move, or null when all have been handed out.
    [[nodiscard]] const Move* next() {
        if (next_ == moves_.size()) return nullptr;
        std::size_t best = next_;
        for (std::size_t i = next_ + 1; i < moves_.size(); ++i)
            if (values_[i] > values_[best]) best = i;
        const Move chosen = moves_[best];
        const int chosen_value = values_[best];
        for (std::size_t i = best; i > next_; --i) {
            moves_[i] = moves_[i - 1];
            values_[i] = values_[i - 1];
        }
        moves_[next_] = chosen;
        values_[next_] = chosen_value;
        return &moves_[next_++];
    }

private:
    static int value_of(const Position& p, const Move& move, const MoveHint& hint,
                        const MoveHistory& history, int ply) {
        if (hint.matches(move)) return 1 << 20;
        if (move.is_capture())
            return 1000 * count(move.captured) + 400 * count(move.captured & p.kings) +
                   ((p.kings & bit(move.from)) == 0 ? 50 : 0);
        const int rank = history.killer_rank(move, ply);
        if (rank != 0) return (1 << 18) + rank;
        return history.value(p.side, move);
    }

    MoveList& moves_;
    std::array<int, MoveList::capacity> values_;
    std::size_t next_ = 0;
};

}  // namespace defiance
