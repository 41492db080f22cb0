#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/score.hpp>
#include <defiance/search/table.hpp>

namespace defiance {

/// Killer moves and history heuristic: the quiet moves that caused cut-offs are tried first.
class MoveHistory {
public:
    void clear() { *this = {}; }

    /// A quiet move caused a cut-off at this depth and ply.
    void reward(Side side, const Move& move, int depth, int ply) {
        DEFIANCE_ASSERT(!move.is_capture() && ply >= 0 && ply <= max_ply);
        adjust(entry(side, move), bonus(depth));
        Killers& killers = killers_[static_cast<unsigned>(ply)];
        if (killers[0] == squares_of(move)) return;
        killers[1] = killers[0];
        killers[0] = squares_of(move);
    }
    /// A quiet move was tried at this depth before another caused a cut-off.
    void punish(Side side, const Move& move, int depth) {
        DEFIANCE_ASSERT(!move.is_capture() && depth >= 0);
        adjust(entry(side, move), -bonus(depth));
    }

    /// A quiet move by its squares, the number of an entry in Values.
    using Squares = std::uint16_t;
    [[nodiscard]] static Squares squares_of(const Move& move) {
        DEFIANCE_ASSERT(!move.is_capture() && move.from < 32 && move.to < 32);
        return static_cast<Squares>(move.from << 5 | move.to);
    }

    /// The history of the quiet moves of a side, -16384 to 16384 each.
    using Values = std::array<std::int32_t, 1024>;
    [[nodiscard]] const Values& values(Side side) const {
        return values_[static_cast<unsigned>(side)];
    }
    /// The last two moves that caused a cut-off at this ply, the last one first; 0, which is no
    /// move, where there was none.
    using Killers = std::array<Squares, 2>;
    [[nodiscard]] const Killers& killers(int ply) const {
        DEFIANCE_ASSERT(ply >= 0 && ply <= max_ply);
        return killers_[static_cast<unsigned>(ply)];
    }

private:
    // A move that cuts off at depth 30 gets a ninth of the ceiling. Neither number is tuned: the
    // order of the moves depends on the proportions only.
    static constexpr int ceiling = 1 << 14;

    [[nodiscard]] static int bonus(int depth) { return depth > 30 ? 1800 : 60 * depth; }
    [[nodiscard]] std::int32_t& entry(Side side, const Move& move) {
        return values_[static_cast<unsigned>(side)][squares_of(move)];
    }
    // Moves the value towards +-ceiling, more slowly as it gets nearer, so it stays in bounds.
    static void adjust(std::int32_t& value, int amount) {
        value += amount - value * (amount < 0 ? -amount : amount) / ceiling;
        DEFIANCE_ASSERT(value >= -ceiling && value <= ceiling);
    }

    std::array<Values, 2> values_{};
    std::array<Killers, max_ply + 1> killers_{};
};

/// Yields the moves of a list, best first: the hash move, captures by the pieces they take,
/// killers, quiet moves by their history. Equal moves keep the order of the list, so the order is
/// the same on every build.
class MovePicker {
public:
    MovePicker(const Position& position, const MoveList& moves, const HashMove& hash_move,
               const MoveHistory& history, int ply)
        : position_(position), moves_(moves), hash_move_(hash_move), history_(history), ply_(ply) {}

    /// The next move, or null after the last.
    [[nodiscard]] const Move* next() {
        if (handed_out_ == moves_.size()) return nullptr;
        // The hash move causes most cut-offs, so the others are ranked only after it.
        if (handed_out_ == 0 && hash_move_.known) {
            for (std::size_t i = 0; i < moves_.size(); ++i)
                if (hash_move_.matches(moves_[i])) return hand_out(i);
        }
        if (!ranked_) rank();
        return hand_out(index_of_best());
    }

    /// The number of moves yielded.
    [[nodiscard]] std::size_t handed_out() const { return handed_out_; }
    /// The i-th move yielded, counted from 0.
    [[nodiscard]] const Move& handed_out(std::size_t i) const {
        DEFIANCE_ASSERT(i < handed_out_);
        return moves_[order_[i]];
    }

private:
    // A rank is the value of a move times `places` plus its place in the list, so that a maximum
    // without branches finds both.
    static constexpr std::int32_t places = 256;
    static_assert(MoveList::capacity <= places);
    static constexpr std::int32_t used = INT32_MIN;

    const Move* hand_out(std::size_t i) {
        DEFIANCE_ASSERT(i < moves_.size() && handed_out_ < moves_.size());
        if (ranked_) ranks_[i] = used;
        order_[handed_out_++] = static_cast<std::uint8_t>(i);
        return &moves_[i];
    }

    void rank() {
        if (moves_[0].is_capture())
            rank_captures();
        else
            rank_quiet_moves();
        if (handed_out_ != 0) ranks_[order_[0]] = used;
        ranked_ = true;
    }

    [[nodiscard]] std::size_t index_of_best() const {
        std::int32_t best = used;
        for (std::size_t i = 0; i < moves_.size(); ++i)
            best = std::max(best, ranks_[i]);
        return static_cast<std::size_t>(places - 1 - (best & (places - 1)));
    }

    void set_rank(std::size_t i, std::int32_t value) {
        ranks_[i] = value * places + (places - 1 - static_cast<std::int32_t>(i));
    }

    /// By what they take, kings for more, and first by a man.
    void rank_captures() {
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const Move& move = moves_[i];
            const bool by_man = (position_.kings & bit(move.from)) == 0;
            set_rank(i, 1000 * count(move.captured) + 400 * count(move.captured & position_.kings) +
                            (by_man ? 50 : 0));
        }
    }

    /// Killers, then by history.
    void rank_quiet_moves() {
        constexpr std::int32_t killer_value = 1 << 18;
        const auto& values = history_.values(position_.side);
        const auto killers = history_.killers(ply_);
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const auto squares = MoveHistory::squares_of(moves_[i]);
            std::int32_t value = values[squares];
            if (squares == killers[1]) value = killer_value + 1;
            if (squares == killers[0]) value = killer_value + 2;
            set_rank(i, value);
        }
    }

    const Position& position_;
    const MoveList& moves_;
    const HashMove& hash_move_;
    const MoveHistory& history_;
    int ply_;
    bool ranked_ = false;
    std::size_t handed_out_ = 0;
    std::array<std::int32_t, MoveList::capacity> ranks_;
    std::array<std::uint8_t, MoveList::capacity> order_;
};

}  // namespace defiance
