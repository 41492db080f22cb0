#pragma once

#include <algorithm>

#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {

/// Generates the captures of one side that the capture choice of the game allows.
///
/// Captured pieces stay on the board until the move ends: none is jumped twice, and they block
/// flying kings. The square that the capturing piece left counts as empty.
template <class Rules, Side Us>
class CaptureFinder {
public:
    /// Appends the captures to `moves`.
    CaptureFinder(const Position& p, MoveList& moves)
        : theirs_(p.pieces(opponent(Us))),
          their_kings_(theirs_ & p.kings),
          empty_(p.empty()),
          moves_(moves),
          first_(moves.size()) {
        DEFIANCE_ASSERT(p.is_consistent());
    }

    /// Finds the captures of the pieces in `movers`; those in `kings` are kings.
    void find(Bitboard movers, Bitboard kings) {
        DEFIANCE_ASSERT((movers & (theirs_ | empty_)) == 0);
        for (int from : Squares(movers)) {
            origin_ = from;
            free_ = empty_ | bit(from);
            by_king_ = (kings & bit(from)) != 0;
            crowned_ = false;
            if (by_king_)
                extend_king(bit(from), 0);
            else
                extend_man(bit(from), 0);
        }
    }

private:
    using Go = Directions<Us>;
    static constexpr bool order_of_kings_counts = Rules::capture_choice == CaptureChoice::italian;

    // Each extend_ returns whether the capture goes on from this square; where it does not, the
    // capture ends and is added.
    bool extend_man(Bitboard at, Bitboard captured) {
        DEFIANCE_ASSERT((at & free_) != 0 && (captured & ~theirs_) == 0);
        if constexpr (Rules::crowned_in_passing)
            if ((at & crowning_row<Us>) != 0) return extend_crowned(at, captured);
        bool goes_on = jump_man<Go::forward_right>(at, captured);
        goes_on |= jump_man<Go::forward_left>(at, captured);
        if constexpr (Rules::men_capture_backwards) {
            goes_on |= jump_man<Go::backward_right>(at, captured);
            goes_on |= jump_man<Go::backward_left>(at, captured);
        }
        if (!goes_on && captured != 0) add(at, captured);
        return goes_on;
    }

    bool extend_crowned(Bitboard at, Bitboard captured) {
        crowned_ = true;
        const bool goes_on = extend_king(at, captured);
        crowned_ = false;
        return goes_on;
    }

    template <Direction D>
    bool jump_man(Bitboard at, Bitboard captured) {
        Bitboard victim = step<D>(at) & theirs_;
        if constexpr (Rules::men_capture_backwards) victim &= ~captured;
        if constexpr (!Rules::men_take_kings) victim &= ~their_kings_;
        const Bitboard landing = step<D>(victim) & free_;
        if (landing == 0) return false;
        extend_man(landing, captured | victim);
        return true;
    }

    bool extend_king(Bitboard at, Bitboard captured) {
        DEFIANCE_ASSERT((at & free_) != 0 && (captured & ~theirs_) == 0);
        bool goes_on = jump_king<Go::forward_right>(at, captured);
        goes_on |= jump_king<Go::forward_left>(at, captured);
        goes_on |= jump_king<Go::backward_right>(at, captured);
        goes_on |= jump_king<Go::backward_left>(at, captured);
        if (!goes_on && captured != 0) add(at, captured);
        return goes_on;
    }

    template <Direction D>
    bool jump_king(Bitboard at, Bitboard captured) {
        if constexpr (Rules::flying_kings)
            return fly<D>(at, captured);
        else
            return hop<D>(at, captured);
    }

    template <Direction D>
    bool hop(Bitboard at, Bitboard captured) {
        const Bitboard victim = step<D>(at) & theirs_ & ~captured;
        const Bitboard landing = step<D>(victim) & free_;
        if (landing == 0) return false;
        const unsigned met_before = kings_met_;
        if constexpr (order_of_kings_counts)
            kings_met_ = 2 * kings_met_ + ((victim & their_kings_) != 0);
        extend_king(landing, captured | victim);
        kings_met_ = met_before;
        return true;
    }

    // A flying king may land on any empty square behind the piece, but must choose one from which
    // it can go on capturing if there is one. Straight on is tried from the first of these squares
    // only, because it is the same capture from the others.
    template <Direction D>
    bool fly(Bitboard at, Bitboard captured) {
        constexpr Direction turn = D == Direction::up_right || D == Direction::down_left
                                       ? Direction::up_left
                                       : Direction::up_right;
        Bitboard ahead = step<D>(at);
        while ((ahead & free_) != 0)
            ahead = step<D>(ahead);
        const Bitboard victim = ahead & theirs_ & ~captured;
        const Bitboard landing = step<D>(victim) & free_;
        if (landing == 0) return false;
        captured |= victim;
        bool goes_on = fly<D>(landing, captured);
        for (Bitboard stop = landing; (stop & free_) != 0; stop = step<D>(stop)) {
            goes_on |= fly<turn>(stop, captured);
            goes_on |= fly<opposite(turn)>(stop, captured);
        }
        if (goes_on) return true;
        for (Bitboard stop = landing; (stop & free_) != 0; stop = step<D>(stop))
            add(stop, captured);
        return true;
    }

    void add(Bitboard at, Bitboard captured) {
        DEFIANCE_ASSERT(captured != 0 && count(at) == 1);
        if constexpr (Rules::capture_choice != CaptureChoice::any) {
            const unsigned rank = rank_of(captured);
            if (rank < best_rank_) return;
            if (rank > best_rank_) moves_.shrink(first_);
            best_rank_ = rank;
        }
        const bool crowned = crowned_ && (at & crowning_row<Us>) == 0;
        const Move move{captured, static_cast<std::uint8_t>(origin_),
                        static_cast<std::uint8_t>(lowest(at)), crowned};
        // The same pieces can be captured in two orders only around a loop, which takes at least
        // four pieces with short kings and two with flying kings.
        constexpr int min_in_loop = Rules::flying_kings ? 2 : 4;
        if (count(captured) >= min_in_loop &&
            std::find(moves_.begin() + first_, moves_.end(), move) != moves_.end())
            return;
        moves_.add(move);
    }

    // The priority of a capture: the criteria of the capture choice, most significant bits first.
    [[nodiscard]] unsigned rank_of(Bitboard captured) const {
        const auto pieces = static_cast<unsigned>(count(captured));
        const auto kings = static_cast<unsigned>(count(captured & their_kings_));
        switch (Rules::capture_choice) {
            case CaptureChoice::any:
                break;  // all are equal
            case CaptureChoice::king_before_man:
                return by_king_ ? 1 : 0;
            case CaptureChoice::most_pieces:
                return pieces;
            case CaptureChoice::most_pieces_and_kings:
                return pieces << 4 | kings;
            case CaptureChoice::italian:
                static_assert(max_pieces_of_side < 1 << 4);  // 12 bits of kings_met_ and 4 of kings
                return pieces << 17 | (by_king_ ? 1U << 16 : 0U) | kings << 12 | kings_met_;
        }
        return 0;
    }

    Bitboard theirs_;
    Bitboard their_kings_;
    Bitboard empty_;
    MoveList& moves_;
    std::size_t first_;     // index of the first capture found, in moves_
    Bitboard free_ = 0;     // empty squares and the origin
    int origin_ = 0;        // square of the capturing piece before the move
    bool by_king_ = false;  // it is a king before the move
    bool crowned_ = false;  // it was crowned during the capture
    unsigned kings_met_ =
        0;  // Italian: a bit for each piece taken, the first highest; 1 for a king
    unsigned best_rank_ = 0;
};

}  // namespace defiance
