#pragma once

#include <algorithm>
#include <cstdint>

#include <defiance/rules/position.hpp>

namespace defiance {

/// By which law a game is drawn when nothing happens, beside CheckerBoard's own. Each game's rules
/// type has one as `draw_law`.
enum class DrawLaw : std::uint8_t {
    plain,   ///< after reversible_plies_to_draw plies, whatever stands on the board
    fmjd_64  ///< FMJD Section 64: sooner where kings face kings (see reversible_limit)
};

namespace detail {

inline constexpr int plies_of_kings_against_kings = 30;  // 7.2.4 and 7.2.5: 15 moves of each side
inline constexpr int plies_against_lone_king = 10;       // 7.2.7 and 7.2.8: 5 moves of each side

constexpr Bits make_main_road() {
    Bits road = 0;
    for (int i = 0; i < 8; ++i)
        road |= bit(index_of({i, i}));
    return road;
}

}  // namespace detail

/// The long diagonal from a player's left corner to the other player's.
inline constexpr Bits main_road_squares = detail::make_main_road();

/// Plies of king moves without capture after which this position is drawn, by the game's law or
/// CheckerBoard's, whichever is sooner.
///
/// Of FMJD-64's table rule 7.2.6 is left out: it counts plies in which men may have moved (60 with
/// 4 or 5 pieces, 120 with 6 or 7), which no search from here could tell from progress.
template <class Rules>
[[nodiscard]] constexpr int reversible_limit(const Position& p) {
    if constexpr (Rules::draw_law == DrawLaw::fmjd_64) {
        if ((p.black & p.kings) == 0 || (p.white & p.kings) == 0)
            return Rules::reversible_plies_to_draw;
        const bool white_is_alone = count(p.white) == 1;
        if (white_is_alone || count(p.black) == 1) {
            const Bits alone = white_is_alone ? p.white : p.black;
            const int others = count(p.occupied()) - 1;
            if (others <= 2 || (others == 3 && (alone & main_road_squares) != 0))
                return detail::plies_against_lone_king;
        }
        return detail::plies_of_kings_against_kings;
    }
    return Rules::reversible_plies_to_draw;
}

/// The smallest limit that any position of the game has.
template <class Rules>
inline constexpr int least_reversible_limit =
    Rules::draw_law == DrawLaw::fmjd_64 ? detail::plies_against_lone_king
                                        : Rules::reversible_plies_to_draw;

}  // namespace defiance
