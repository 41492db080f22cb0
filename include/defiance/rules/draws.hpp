#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <defiance/rules/position.hpp>

namespace defiance {

/// The rule by which a game without progress is drawn, in addition to CheckerBoard's own. Each
/// game's rules type names one as `draw_law`. No switch over the laws has a default, so that the
/// compiler names the places that a new law is missing from.
enum class DrawLaw : std::uint8_t {
    plain,   ///< after reversible_plies_to_draw plies, whatever stands on the board
    fmjd_64  ///< FMJD Section 64: sooner when both sides have kings (see reversible_limit)
};

/// CheckerBoard ends every game as drawn after so many plies of king moves without a capture (seen
/// in 1.75g, read in 1.77a).
inline constexpr int checkerboard_plies_to_draw = 79;

namespace detail {

// FMJD Section 64, in plies: so many moves of both sides together.
inline constexpr int fmjd_64_plies_of_kings_against_kings = 30;  // 7.2.4, 7.2.5: 15 of each side
inline constexpr int fmjd_64_plies_on_main_road = 10;            // 7.2.7: 5 of each side
inline constexpr int fmjd_64_plies_against_lone_king = 10;       // 7.2.8: 5 of each side

constexpr Bitboard make_main_road() {
    Bitboard road = 0;
    for (int i = 0; i < 8; ++i)
        road |= bit(index_of({i, i}));
    return road;
}

}  // namespace detail

/// The long diagonal, called the main road: from one player's left corner to the other's.
inline constexpr Bitboard main_road_squares = detail::make_main_road();

/// Plies of king moves without capture after which this position is drawn, by the game's rule or
/// CheckerBoard's, whichever is sooner.
///
/// It leaves out two rules of FMJD-64: 7.2.6, which counts plies in which men may have moved (60
/// with 4 or 5 pieces, 120 with 6 or 7) and needs more history than the engine keeps, and 7.2.7,
/// which looks at several positions (main_road_is_held).
template <class Rules>
[[nodiscard]] constexpr int reversible_limit(const Position& p) {
    static_assert(Rules::reversible_plies_to_draw <= checkerboard_plies_to_draw);
    DEFIANCE_ASSERT(p.is_consistent());
    switch (Rules::draw_law) {
        case DrawLaw::plain:
            break;
        case DrawLaw::fmjd_64: {
            if ((p.black & p.kings) == 0 || (p.white & p.kings) == 0) break;
            const bool one_is_alone = count(p.white) == 1 || count(p.black) == 1;
            if (one_is_alone && count(p.occupied()) <= 3)
                return detail::fmjd_64_plies_against_lone_king;
            return detail::fmjd_64_plies_of_kings_against_kings;
        }
    }
    return Rules::reversible_plies_to_draw;
}

/// True when a lone king has stood on the main road against three pieces for 5 moves of each side,
/// the last of these positions included, which draws the game (FMJD-64, 7.2.7). Between the
/// positions nothing was taken and no man moved. The search does not see this rule: it may go on
/// with such an ending for longer than the game lasts.
template <class Rules>
[[nodiscard]] constexpr bool main_road_is_held(std::span<const Position> positions) {
    constexpr std::size_t needed = detail::fmjd_64_plies_on_main_road + 1;
    switch (Rules::draw_law) {
        case DrawLaw::plain:
            return false;
        case DrawLaw::fmjd_64:
            break;
    }
    if (positions.size() < needed) return false;
    for (const Position& p : positions.last(needed)) {
        DEFIANCE_ASSERT(p.is_consistent());
        const bool white_is_alone = count(p.white) == 1;
        const Bitboard alone = white_is_alone ? p.white : p.black;
        const Bitboard others = white_is_alone ? p.black : p.white;
        if (count(alone) != 1 || count(others) != 3 || (others & p.kings) == 0 ||
            (alone & p.kings & main_road_squares) == 0)
            return false;
    }
    return true;
}

/// The smallest limit that any position of the game has.
template <class Rules>
inline constexpr int min_reversible_limit = [] {
    switch (Rules::draw_law) {
        case DrawLaw::plain:
            break;
        case DrawLaw::fmjd_64:
            return detail::fmjd_64_plies_against_lone_king;
    }
    return Rules::reversible_plies_to_draw;
}();

}  // namespace defiance
