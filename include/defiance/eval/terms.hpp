#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/eval/pattern.hpp>
#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {

/// The terms of the evaluation. Each term has one or more slots, each with a weight
/// (eval/weights.hpp).
enum class Term : std::uint8_t {
    man,             ///< a man on a square; slot = square index seen from its side
    king,            ///< a king on a square; slot likewise
    back_rank,       ///< men on the own back rank; slot = the set of its four squares they hold
    back_rank_late,  ///< the same when the opponent has a king
    runaway,         ///< a man that no piece can stop; slot = steps to its crowning
    mobility,        ///< men that can step without being captured
    safe_kings,      ///< squares that kings can step to without being captured
    trapped_king,    ///< kings without any safe step
    supported_men,   ///< men with both squares behind them occupied by own pieces or off the board
    open_men,        ///< men with an empty square behind them
    chain,      ///< two men behind each other on a diagonal; slot = its direction (right, left)
    front,      ///< an enemy man two rows ahead in the same column, the square between empty
    man_lead,   ///< more men than the enemy; slot = number of enemy pieces
    pursuit,    ///< when ahead: king steps from each own king to the nearest enemy king
    main_road,  ///< kings on the long diagonal
    turn,       ///< the side to move
    opposition  ///< "the move" of the draughts books; slot = pieces on the board
};
inline constexpr std::size_t term_count = 17;

/// Slots of each term, in the order of the enumeration.
inline constexpr std::array<int, term_count> slots_of_term = {32, 32, 16, 16, 8, 1, 1, 1, 1,
                                                              1,  2,  1,  13, 1, 1, 1, 25};

[[nodiscard]] constexpr int first_slot(Term term) {
    int first = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(term); ++i)
        first += slots_of_term[i];
    return first;
}
inline constexpr int slot_count = first_slot(Term::opposition) + 25;

/// The board from one side, whose men move up.
struct View {
    Bitboard men;
    Bitboard kings;
    Bitboard their_men;
    Bitboard their_kings;

    [[nodiscard]] constexpr Bitboard own() const { return men | kings; }
    [[nodiscard]] constexpr Bitboard theirs() const { return their_men | their_kings; }
    [[nodiscard]] constexpr Bitboard empty() const { return ~(own() | theirs()); }
};

[[nodiscard]] constexpr View black_view(const Position& p) {
    return {p.black & ~p.kings, p.black & p.kings, p.white & ~p.kings, p.white & p.kings};
}

/// The view of the other side.
[[nodiscard]] constexpr View flipped(const View& v) {
    return {reversed(v.their_men), reversed(v.their_kings), reversed(v.men), reversed(v.kings)};
}

namespace detail {

/// The squares that a man can reach by moving up from a square, by square.
constexpr std::array<Bitboard, 32> make_cones() {
    std::array<Bitboard, 32> cones{};
    for (int i = 0; i < 32; ++i) {
        Bitboard cone = bit(i);
        for (int n = 0; n < 7; ++n)
            cone |= step<Direction::up_right>(cone) | step<Direction::up_left>(cone);
        cones[static_cast<unsigned>(i)] = cone & ~bit(i);
    }
    return cones;
}
inline constexpr std::array<Bitboard, 32> cones = make_cones();

/// Sum over the hunters of the king steps to the nearest hunted piece, on an empty board.
constexpr int steps_between(Bitboard hunters, Bitboard hunted) {
    using enum Direction;
    int steps = 0;
    DEFIANCE_ASSERT(hunted != 0);
    Bitboard zone = hunted;
    for (int n = 1; n <= 7 && (hunters & ~zone) != 0; ++n) {
        zone |= step<up_right>(zone) | step<up_left>(zone) | step<down_right>(zone) |
                step<down_left>(zone);
        // Each step adds one for every hunter that is more than n steps away.
        steps += count(hunters & ~zone);
    }
    return steps;
}

/// The men on the own back rank as a number from 0 to 15; the bits of that row are not adjacent.
constexpr unsigned back_rank_pattern(Bitboard men) {
    return ((men >> index_of({0, 0})) & 1U) | (((men >> index_of({2, 0})) & 1U) << 1) |
           (((men >> index_of({4, 0})) & 1U) << 2) | (((men >> index_of({6, 0})) & 1U) << 3);
}

inline constexpr Bitboard opposition_rows = row(0) | row(2) | row(4) | row(6);

}  // namespace detail

/// Empty squares to which a man can step in direction D (up) without being captured there next. An
/// enemy straight ahead can always capture it, because the square it left is empty.
template <Direction D>
[[nodiscard]] constexpr Bitboard safe_for_man(const View& v) {
    using enum Direction;
    constexpr Direction across = D == up_right ? up_left : up_right;
    const Bitboard empty = v.empty();
    const Bitboard from_ahead = step<opposite(D)>(v.theirs());
    const Bitboard from_the_side = step<opposite(across)>(v.theirs()) & step<across>(empty);
    const Bitboard from_behind = step<across>(v.their_kings) & step<opposite(across)>(empty);
    return empty & ~(from_ahead | from_the_side | from_behind);
}

/// Empty squares on which no adjacent enemy could capture a piece, as the board stands.
[[nodiscard]] constexpr Bitboard safe_for_king(const View& v) {
    using enum Direction;
    const Bitboard empty = v.empty();
    const Bitboard all = v.theirs();
    const Bitboard kings = v.their_kings;
    return empty & ~((step<down_right>(all) & step<up_left>(empty)) |
                     (step<down_left>(all) & step<up_right>(empty)) |
                     (step<up_right>(kings) & step<down_left>(empty)) |
                     (step<up_left>(kings) & step<down_right>(empty)));
}

/// Adds to the sink the cheap terms that make up most of a score: the squares of the own pieces and
/// the lead. A sink has add(term, slot, times), add_squares(term, set) and add_pattern(region,
/// pattern); counts(term) and counts_patterns tell at compile time what it uses, so that terms for
/// which a game has no weights cost nothing.
template <class Sink>
void collect_material(const View& v, Sink& sink) {
    DEFIANCE_ASSERT((v.own() & v.theirs()) == 0);
    sink.add_squares(Term::man, v.men);
    if (v.kings != 0) sink.add_squares(Term::king, v.kings);
    const int enemies = count(v.theirs());
    const int lead = count(v.own()) - enemies;
    if (lead > 0) sink.add(Term::man_lead, enemies, lead);
}

/// Adds the terms of the kings; there must be at least one.
template <class Sink>
void collect_kings(const View& v, Sink& sink) {
    DEFIANCE_ASSERT(v.kings != 0);
    using enum Direction;
    if constexpr (Sink::counts(Term::safe_kings)) {
        const Bitboard safe = safe_for_king(v);
        const Bitboard reached = (step<up_right>(v.kings) | step<up_left>(v.kings) |
                                  step<down_right>(v.kings) | step<down_left>(v.kings)) &
                                 safe;
        const Bitboard free_kings = v.kings & (step<up_right>(safe) | step<up_left>(safe) |
                                               step<down_right>(safe) | step<down_left>(safe));
        sink.add(Term::safe_kings, 0, count(reached));
        sink.add(Term::trapped_king, 0, count(v.kings & ~free_kings));
    }
    if constexpr (Sink::counts(Term::main_road))
        sink.add(Term::main_road, 0, count(v.kings & main_road_squares));
    if constexpr (Sink::counts(Term::pursuit))
        if (v.their_kings != 0 && count(v.own()) > count(v.theirs()))
            sink.add(Term::pursuit, 0, detail::steps_between(v.kings, v.their_kings));
}

/// Adds all other terms that do not depend on the side to move.
template <class Sink>
void collect_structure(const View& v, Sink& sink) {
    DEFIANCE_ASSERT((v.men & v.kings) == 0 && (v.their_men & v.their_kings) == 0);
    using enum Direction;
    const Bitboard empty = v.empty();

    if constexpr (Sink::counts(Term::back_rank))
        sink.add(v.their_kings == 0 ? Term::back_rank : Term::back_rank_late,
                 static_cast<int>(detail::back_rank_pattern(v.men)), 1);
    for (int square : Squares(v.men & (row(3) | row(4) | row(5) | row(6))))
        if ((detail::cones[static_cast<unsigned>(square)] & (v.theirs() | v.own())) == 0)
            sink.add(Term::runaway, 7 - coordinate_of(square).y, 1);

    if constexpr (Sink::counts(Term::mobility))
        sink.add(Term::mobility, 0,
                 count(that_can_step<up_right>(v.men, safe_for_man<up_right>(v)) |
                       that_can_step<up_left>(v.men, safe_for_man<up_left>(v))));
    if (v.kings != 0) collect_kings(v, sink);

    constexpr Bitboard edge = column(0) | column(7) | row(0);
    const Bitboard filled = v.own();
    sink.add(Term::supported_men, 0,
             count(v.men & (step<up_right>(filled) | edge) & (step<up_left>(filled) | edge)));
    if constexpr (Sink::counts(Term::open_men))
        sink.add(Term::open_men, 0, count(v.men & (step<up_right>(empty) | step<up_left>(empty))));
    sink.add(Term::chain, 0, count(v.men & step<up_right>(v.men)));
    sink.add(Term::chain, 1, count(v.men & step<up_left>(v.men)));
    if constexpr (Sink::counts(Term::front)) {
        const Bitboard ahead = step<up_right>(empty & step<up_left>(v.men)) |
                               step<up_left>(empty & step<up_right>(v.men));
        sink.add(Term::front, 0, count(ahead & v.their_men));
    }
    if constexpr (Sink::counts_patterns) {
        const auto patterns = patterns_of(v.men, v.their_men);
        for (std::size_t region = 0; region < pattern_regions; ++region)
            sink.add_pattern(region, patterns[region]);
    }
}

/// Adds the terms of the side to move, whose view it is.
///
/// The opposition is counted as in the draughts books: with equal numbers of pieces, the side to
/// move has it when the number of pieces on its own first row and every second row from there is
/// odd.
template <class Sink>
void collect_turn(const View& v, Sink& sink) {
    sink.add(Term::turn, 0, 1);
    if constexpr (!Sink::counts(Term::opposition)) return;
    if (count(v.own()) != count(v.theirs())) return;
    const Bitboard all = v.own() | v.theirs();
    const int sign = count(all & detail::opposition_rows) % 2 != 0 ? 1 : -1;
    sink.add(Term::opposition, count(all), sign);
}

}  // namespace defiance
