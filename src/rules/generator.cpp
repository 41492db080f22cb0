#include <defiance/rules/generator.hpp>

#include <algorithm>

#include <defiance/rules/english.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {
namespace {

/// Finds the captures of one side in one position. With short moves a piece taken may stay on the
/// board or leave at once: no landing square can ever be a square jumped over, so both are the
/// same.
template <Side Us>
class CaptureFinder {
public:
    CaptureFinder(const Position& p, MoveList& moves)
        : theirs_(p.pieces(opponent(Us))), empty_(p.empty()), moves_(moves) {}

    void find(Bits movers, Bits kings) {
        for (int from : Squares(movers)) {
            origin_ = from;
            // The square a piece comes from counts as empty while it captures.
            const Bits free = empty_ | bit(from);
            if ((kings & bit(from)) != 0)
                extend_king(bit(from), free, 0);
            else
                extend_man(bit(from), free, 0);
        }
    }

private:
    using W = Ways<Us>;

    // A man that reaches its last row stops there: no way leads forward from it.
    void extend_man(Bits at, Bits free, Bits captured) {
        bool ends_here = !jump_man<W::forward_right>(at, free, captured);
        ends_here &= !jump_man<W::forward_left>(at, free, captured);
        if (ends_here) moves_.add(make_move(at, captured));
    }

    template <Direction D>
    bool jump_man(Bits at, Bits free, Bits captured) {
        const Bits victim = step<D>(at) & theirs_;
        const Bits landing = step<D>(victim) & free;
        if (landing == 0) return false;
        extend_man(landing, free, captured | victim);
        return true;
    }

    void extend_king(Bits at, Bits free, Bits captured) {
        bool ends_here = !jump_king<W::forward_right>(at, free, captured);
        ends_here &= !jump_king<W::forward_left>(at, free, captured);
        ends_here &= !jump_king<W::backward_right>(at, free, captured);
        ends_here &= !jump_king<W::backward_left>(at, free, captured);
        if (ends_here) add_unique(make_move(at, captured));
    }

    template <Direction D>
    bool jump_king(Bits at, Bits free, Bits captured) {
        const Bits victim = step<D>(at) & theirs_ & ~captured;
        const Bits landing = step<D>(victim) & free;
        if (landing == 0) return false;
        extend_king(landing, free, captured | victim);
        return true;
    }

    [[nodiscard]] Move make_move(Bits at, Bits captured) const {
        return {captured, static_cast<std::uint8_t>(origin_),
                static_cast<std::uint8_t>(lowest(at))};
    }

    // The same pieces can be taken in two orders only around a loop, and a loop takes four.
    void add_unique(const Move& move) {
        if (count(move.captured) >= 4 &&
            std::find(moves_.begin(), moves_.end(), move) != moves_.end())
            return;
        moves_.add(move);
    }

    Bits theirs_;
    Bits empty_;
    MoveList& moves_;
    int origin_ = 0;
};

template <Direction D>
void add_steps(Bits pieces, Bits empty, MoveList& moves) {
    for (int from : Squares(that_can_step<D>(pieces, empty)))
        moves.add({0, static_cast<std::uint8_t>(from),
                   static_cast<std::uint8_t>((from + index_distance<D>)&31)});
}

template <Side Us>
void add_quiet_moves(const Position& p, MoveList& moves) {
    using W = Ways<Us>;
    const Bits own = p.pieces(Us);
    const Bits empty = p.empty();
    const Bits kings = own & p.kings;
    if (kings != 0) {
        add_steps<W::backward_right>(kings, empty, moves);
        add_steps<W::backward_left>(kings, empty, moves);
    }
    add_steps<W::forward_right>(own, empty, moves);
    add_steps<W::forward_left>(own, empty, moves);
}

template <Side Us>
std::uint64_t count_quiet_moves(const Position& p) {
    using W = Ways<Us>;
    const Bits own = p.pieces(Us);
    const Bits empty = p.empty();
    const Bits kings = own & p.kings;
    int total = count(that_can_step<W::forward_right>(own, empty)) +
                count(that_can_step<W::forward_left>(own, empty));
    if (kings != 0)
        total += count(that_can_step<W::backward_right>(kings, empty)) +
                 count(that_can_step<W::backward_left>(kings, empty));
    return static_cast<std::uint64_t>(total);
}

template <Side Us>
void add_captures(const Position& p, MoveList& moves) {
    const Bits movers = jumpers<Us>(p);
    if (movers != 0) CaptureFinder<Us>(p, moves).find(movers, p.kings);
}

template <Side Us>
void add_moves(const Position& p, MoveList& moves) {
    const Bits movers = jumpers<Us>(p);
    if (movers != 0)
        CaptureFinder<Us>(p, moves).find(movers, p.kings);
    else
        add_quiet_moves<Us>(p, moves);
}

template <Side Us>
std::uint64_t count_for(const Position& p) {
    const Bits movers = jumpers<Us>(p);
    if (movers == 0) return count_quiet_moves<Us>(p);
    MoveList moves;
    CaptureFinder<Us>(p, moves).find(movers, p.kings);
    return moves.size();
}

}  // namespace

template <class Rules>
bool can_capture(const Position& p) {
    return (p.side == Side::black ? jumpers<Side::black>(p) : jumpers<Side::white>(p)) != 0;
}

template <class Rules>
void generate_captures(const Position& p, MoveList& moves) {
    p.side == Side::black ? add_captures<Side::black>(p, moves)
                          : add_captures<Side::white>(p, moves);
}

template <class Rules>
void generate_quiet_moves(const Position& p, MoveList& moves) {
    p.side == Side::black ? add_quiet_moves<Side::black>(p, moves)
                          : add_quiet_moves<Side::white>(p, moves);
}

template <class Rules>
void generate_moves(const Position& p, MoveList& moves) {
    p.side == Side::black ? add_moves<Side::black>(p, moves) : add_moves<Side::white>(p, moves);
}

template <class Rules>
std::uint64_t count_moves(const Position& p) {
    return p.side == Side::black ? count_for<Side::black>(p) : count_for<Side::white>(p);
}

template bool can_capture<English>(const Position&);
template void generate_captures<English>(const Position&, MoveList&);
template void generate_quiet_moves<English>(const Position&, MoveList&);
template void generate_moves<English>(const Position&, MoveList&);
template std::uint64_t count_moves<English>(const Position&);

}  // namespace defiance
