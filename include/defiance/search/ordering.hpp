#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

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

/// Hands out the moves of a list, the most promising first: the one the table knows, then captures
/// by what they take, killers, and quiet moves by their history. Which of two equal ones comes
/// first is settled by their places in the list, so the order is the same on every build.
class MovePicker {
public:
    MovePicker(const Position& position, MoveList& moves, const MoveHint& hint,
               const MoveHistory& history, int ply)
        : position_(position), moves_(moves), hint_(hint), history_(history), ply_(ply) {}

    /// The next move, or null when all have been handed out. Those handed out before stand at the
    /// front of the list.
    [[nodiscard]] const Move* next() {
        if (next_ == moves_.size()) return nullptr;
        if (next_ == 0 && bring_hint_forward()) return &moves_[next_++];
        if (!valued_) give_values();
        std::size_t best = next_;
        for (std::size_t i = next_ + 1; i < moves_.size(); ++i)
            if (values_[i] > values_[best]) best = i;
        std::swap(moves_[best], moves_[next_]);
        std::swap(values_[best], values_[next_]);
        return &moves_[next_++];
    }

private:
    // Most nodes are cut off by the first move, so the others get their values only when asked for.
    bool bring_hint_forward() {
        if (!hint_.known) return false;
        for (Move& move : moves_) {
            if (!hint_.matches(move)) continue;
            std::swap(move, moves_[0]);
            return true;
        }
        return false;
    }

    void give_values() {
        for (std::size_t i = next_; i < moves_.size(); ++i)
            values_[i] = value_of(moves_[i]);
        valued_ = true;
    }

    [[nodiscard]] int value_of(const Move& move) const {
        if (move.is_capture())
            return 1000 * count(move.captured) + 400 * count(move.captured & position_.kings) +
                   ((position_.kings & bit(move.from)) == 0 ? 50 : 0);
        const int rank = history_.killer_rank(move, ply_);
        if (rank != 0) return (1 << 18) + rank;
        return history_.value(position_.side, move);
    }

    const Position& position_;
    MoveList& moves_;
    const MoveHint& hint_;
    const MoveHistory& history_;
    int ply_;
    bool valued_ = false;
    std::array<int, MoveList::capacity> values_;
    std::size_t next_ = 0;
};

}  // namespace defiance
