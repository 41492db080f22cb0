#pragma once

#include <algorithm>

#include <defiance/rules/capture_choice.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {

/// Finds the captures of one side in one position, those that the game's choice leaves.
///
/// Pieces taken stay on the board until the capture is over: none is jumped twice, and they stand
/// in the way of flying kings. The square the capturing piece came from counts as empty.
template <class Rules, Side Us>
class CaptureFinder {
public:
    /// Appends what it finds to `moves`.
    CaptureFinder(const Position& p, MoveList& moves)
        : theirs_(p.pieces(opponent(Us))),
          their_kings_(theirs_ & p.kings),
          empty_(p.empty()),
          moves_(moves),
          first_(moves.size()) {
        DEFIANCE_ASSERT(p.is_consistent());
    }

    /// Looks at the captures of the pieces in `movers`, of which those in `kings` are kings.
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
    using W = Ways<Us>;
    static constexpr bool kings_count = Rules::capture_choice == CaptureChoice::italian;

    // Each extend_ returns whether the piece could take another one; the capture is added where it
    // ends.
    bool extend_man(Bitboard at, Bitboard captured) {
        DEFIANCE_ASSERT((at & free_) != 0 && (captured & ~theirs_) == 0);
        if constexpr (Rules::crowned_in_passing)
            if ((at & crowning_row<Us>) != 0) return extend_crowned(at, captured);
        bool goes_on = jump_man<W::forward_right>(at, captured);
        goes_on |= jump_man<W::forward_left>(at, captured);
        if constexpr (Rules::men_capture_backwards) {
            goes_on |= jump_man<W::backward_right>(at, captured);
            goes_on |= jump_man<W::backward_left>(at, captured);
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
        bool goes_on = jump_king<W::forward_right>(at, captured);
        goes_on |= jump_king<W::forward_left>(at, captured);
        goes_on |= jump_king<W::backward_right>(at, captured);
        goes_on |= jump_king<W::backward_left>(at, captured);
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
        if constexpr (kings_count) kings_met_ = 2 * kings_met_ + ((victim & their_kings_) != 0);
        extend_king(landing, captured | victim);
        kings_met_ = met_before;
        return true;
    }

    // A flying king stops on any free square behind the piece, but on one from which it can capture
    // on if there is such a one. Going straight on is tried from the first of these squares only:
    // from the others it is the same capture.
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
        // The same pieces can be taken in two orders only around a loop: four pieces for a king
        // that goes one square, fewer for one that flies.
        constexpr int min_in_loop = Rules::flying_kings ? 2 : 4;
        if (count(captured) >= min_in_loop &&
            std::find(moves_.begin() + first_, moves_.end(), move) != moves_.end())
            return;
        moves_.add(move);
    }

    // What the game's choice compares, the most significant first.
    [[nodiscard]] unsigned rank_of(Bitboard captured) const {
        const auto pieces = static_cast<unsigned>(count(captured));
        const auto kings = static_cast<unsigned>(count(captured & their_kings_));
        switch (Rules::capture_choice) {
            case CaptureChoice::king_before_man:
                return by_king_ ? 1 : 0;
            case CaptureChoice::most_pieces:
                return pieces;
            case CaptureChoice::most_pieces_and_kings:
                return pieces << 4 | kings;
            case CaptureChoice::italian:
                return pieces << 17 | (by_king_ ? 1U << 16 : 0U) | kings << 12 | kings_met_;
            default:
                return 0;
        }
    }

    Bitboard theirs_;
    Bitboard their_kings_;
    Bitboard empty_;
    MoveList& moves_;
    std::size_t first_;     // place of the first capture found in the list
    Bitboard free_ = 0;     // empty squares for the piece at work
    int origin_ = 0;        // where it comes from
    bool by_king_ = false;  // it was a king from the start
    bool crowned_ = false;  // it has become one on the way
    unsigned kings_met_ =
        0;  // Italian: a bit for each piece taken, the first highest; 1 for a king
    unsigned best_rank_ = 0;
};

}  // namespace defiance
