#pragma once

#include <cstddef>
#include <cstdint>

#include <defiance/eval/weights.hpp>
#include <defiance/rules/games.hpp>

namespace defiance {

/// The numbers from which the weights of the games without fitted weights are made, in 1/100 man.
struct HandWeights {
    int king;        ///< a king with all pieces on the board; a man is about 100
    int late_king;   ///< a king with few pieces left
    int advance;     ///< for each row that a man has advanced
    int home;        ///< for a man still on its first row
    int runaway;     ///< for a runaway man one step from crowning, a quarter less for each further
                     ///< step
    int lead;        ///< for each piece more, times 12 divided by the number of enemy pieces
    int main_road;   ///< for a king on the long diagonal
    int king_moves;  ///< for each square that a king can step to safely
    int pursuit;     ///< for each step of a leading king from the enemy's; negative
};

namespace detail {

constexpr Weight both(int value) {
    DEFIANCE_ASSERT(value >= INT16_MIN && value <= INT16_MAX);
    return {static_cast<std::int16_t>(value), static_cast<std::int16_t>(value)};
}

constexpr Weights weights_from(const HandWeights& h) {
    Weights weights{};
    const auto at = [&](Term term, int slot) -> Weight& {
        return weights[static_cast<std::size_t>(first_slot(term) + slot)];
    };
    for (int square = 0; square < 32; ++square) {
        const Coordinate c = coordinate_of(square);
        const int centre = c.x >= 2 && c.x <= 5 ? 3 : 0;
        const int man = 100 + h.advance * c.y + (c.y == 0 ? h.home : centre);
        at(Term::man, square) = {static_cast<std::int16_t>(man),
                                 static_cast<std::int16_t>(100 + 3 * h.advance * c.y)};
        at(Term::king, square) = {static_cast<std::int16_t>(h.king + centre),
                                  static_cast<std::int16_t>(h.late_king + centre)};
    }
    for (int steps = 1; steps <= 4; ++steps)
        at(Term::runaway, steps) = both(h.runaway * (5 - steps) / 4);
    for (int enemies = 1; enemies <= 12; ++enemies)
        at(Term::man_lead, enemies) = both(h.lead * 12 / enemies);
    at(Term::mobility, 0) = both(3);
    at(Term::supported_men, 0) = both(3);
    at(Term::chain, 0) = both(2);
    at(Term::chain, 1) = both(2);
    at(Term::main_road, 0) = both(h.main_road);
    at(Term::safe_kings, 0) = both(h.king_moves);
    at(Term::trapped_king, 0) = both(-10 * h.king_moves);
    at(Term::pursuit, 0) = {0, static_cast<std::int16_t>(h.pursuit)};
    at(Term::turn, 0) = {4, 0};
    return weights;
}

}  // namespace detail

// Only kings can capture Italian kings, so they are worth more than in English. Flying kings are
// worth three men and more while there are men; one on the main road draws against few pieces.
template <>
inline constexpr Weights weights_of<Italian> = detail::weights_from({170, 150, 1, 12, 40, 15, 0, 3,
                                                                     -6});
template <>
inline constexpr Weights weights_of<Spanish> = detail::weights_from({330, 280, 2, 12, 60, 5, 15, 0,
                                                                     0});
template <>
inline constexpr Weights weights_of<Russian> = detail::weights_from({300, 260, 1, 6, 60, 5, 15, 0,
                                                                     0});
template <>
inline constexpr Weights weights_of<Brazilian> = detail::weights_from({300, 260, 1, 6, 60, 5, 15, 0,
                                                                       0});
template <>
inline constexpr Weights weights_of<Czech> = detail::weights_from({330, 280, 2, 12, 60, 5, 15, 0,
                                                                   0});

}  // namespace defiance
