#include <defiance/rules/generator.hpp>

#include <defiance/rules/steps.hpp>

#include "capture_finder.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

constexpr std::uint8_t neighbour(int index, int distance) {
    return static_cast<std::uint8_t>((index + distance) & 31);
}

template <Direction D>
void add_steps(Bitboard pieces, Bitboard empty, MoveList& moves) {
    DEFIANCE_ASSERT((pieces & empty) == 0);
    for (int from : Squares(that_can_step<D>(pieces, empty)))
        moves.add({0, static_cast<std::uint8_t>(from), neighbour(from, index_distance<D>), false});
}

template <Direction D>
void add_flights(Bitboard kings, Bitboard empty, MoveList& moves) {
    DEFIANCE_ASSERT((kings & empty) == 0);
    for (int from : Squares(that_can_step<D>(kings, empty)))
        for (Bitboard to = step<D>(bit(from)); (to & empty) != 0; to = step<D>(to))
            moves.add(
                {0, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(lowest(to)), false});
}

template <class Rules, Side Us>
void add_quiet_moves(const Position& p, MoveList& moves) {
    DEFIANCE_ASSERT(p.is_consistent() && p.side == Us);
    using Go = Directions<Us>;
    const Bitboard own = p.pieces(Us);
    const Bitboard empty = p.empty();
    const Bitboard kings = own & p.kings;
    if (kings != 0) {
        if constexpr (Rules::flying_kings) {
            add_flights<Go::backward_right>(kings, empty, moves);
            add_flights<Go::backward_left>(kings, empty, moves);
            add_flights<Go::forward_right>(kings, empty, moves);
            add_flights<Go::forward_left>(kings, empty, moves);
        } else {
            add_steps<Go::backward_right>(kings, empty, moves);
            add_steps<Go::backward_left>(kings, empty, moves);
        }
    }
    const Bitboard steppers = Rules::flying_kings ? own & ~kings : own;
    add_steps<Go::forward_right>(steppers, empty, moves);
    add_steps<Go::forward_left>(steppers, empty, moves);
}

/// The number of quiet king moves in direction D.
template <class Rules, Direction D>
int count_king_moves(Bitboard kings, Bitboard empty) {
    Bitboard moving = step<D>(kings) & empty;
    int total = count(moving);
    if constexpr (Rules::flying_kings)
        while ((moving = step<D>(moving) & empty) != 0)
            total += count(moving);
    return total;
}

template <class Rules, Side Us>
std::uint64_t count_quiet_moves(const Position& p) {
    using Go = Directions<Us>;
    const Bitboard own = p.pieces(Us);
    const Bitboard empty = p.empty();
    const Bitboard kings = own & p.kings;
    const Bitboard men = own & ~kings;
    int total = count(that_can_step<Go::forward_right>(men, empty)) +
                count(that_can_step<Go::forward_left>(men, empty));
    if (kings != 0)
        total += count_king_moves<Rules, Go::forward_right>(kings, empty) +
                 count_king_moves<Rules, Go::forward_left>(kings, empty) +
                 count_king_moves<Rules, Go::backward_right>(kings, empty) +
                 count_king_moves<Rules, Go::backward_left>(kings, empty);
    return static_cast<std::uint64_t>(total);
}

template <class Rules, Side Us>
void add_captures(const Position& p, MoveList& moves) {
    const Bitboard takers = jumpers<Rules, Us>(p);
    if (takers != 0) CaptureFinder<Rules, Us>(p, moves).find(takers, p.kings);
}

template <class Rules, Side Us>
void add_moves(const Position& p, MoveList& moves) {
    DEFIANCE_ASSERT(p.is_consistent() && p.side == Us);
    const Bitboard takers = jumpers<Rules, Us>(p);
    if (takers != 0)
        CaptureFinder<Rules, Us>(p, moves).find(takers, p.kings);
    else
        add_quiet_moves<Rules, Us>(p, moves);
}

template <class Rules, Side Us>
std::uint64_t count_for(const Position& p) {
    DEFIANCE_ASSERT(p.is_consistent() && p.side == Us);
    const Bitboard takers = jumpers<Rules, Us>(p);
    if (takers == 0) return count_quiet_moves<Rules, Us>(p);
    MoveList moves;
    CaptureFinder<Rules, Us>(p, moves).find(takers, p.kings);
    return moves.size();
}

}  // namespace

template <class Rules>
bool can_capture(const Position& p) {
    return (p.side == Side::black ? jumpers<Rules, Side::black>(p)
                                  : jumpers<Rules, Side::white>(p)) != 0;
}

template <class Rules>
void generate_captures(const Position& p, MoveList& moves) {
    p.side == Side::black ? add_captures<Rules, Side::black>(p, moves)
                          : add_captures<Rules, Side::white>(p, moves);
}

template <class Rules>
void generate_quiet_moves(const Position& p, MoveList& moves) {
    p.side == Side::black ? add_quiet_moves<Rules, Side::black>(p, moves)
                          : add_quiet_moves<Rules, Side::white>(p, moves);
}

template <class Rules>
void generate_moves(const Position& p, MoveList& moves) {
    p.side == Side::black ? add_moves<Rules, Side::black>(p, moves)
                          : add_moves<Rules, Side::white>(p, moves);
}

template <class Rules>
std::uint64_t count_moves(const Position& p) {
    return p.side == Side::black ? count_for<Rules, Side::black>(p)
                                 : count_for<Rules, Side::white>(p);
}

template <class Rules>
std::uint64_t perft(const Position& position, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return count_moves<Rules>(position);
    MoveList moves;
    generate_moves<Rules>(position, moves);
    std::uint64_t total = 0;
    for (const Move& move : moves)
        total += perft<Rules>(after<Rules>(position, move), depth - 1);
    return total;
}

template bool can_capture<DEFIANCE_GAME>(const Position&);
template void generate_captures<DEFIANCE_GAME>(const Position&, MoveList&);
template void generate_quiet_moves<DEFIANCE_GAME>(const Position&, MoveList&);
template void generate_moves<DEFIANCE_GAME>(const Position&, MoveList&);
template std::uint64_t count_moves<DEFIANCE_GAME>(const Position&);
template std::uint64_t perft<DEFIANCE_GAME>(const Position&, int);

}  // namespace defiance
