#pragma once

#include <string_view>

#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// Russian draughts (shashki).
/// Sources: the Russian code of draughts (Kodeks, 2004: articles 1.x) for the moves, FMJD Section
/// 64, official rules (articles 7.2.x), for the draws.
struct Russian {
    static constexpr std::string_view name = "Russian";
    static constexpr std::string_view file_word = "russian";
    static constexpr int game_type = 25;
    static constexpr std::string_view pdn_game_type = "25,W,8,8,A0,0";

    static constexpr Side first_side = Side::white;  // White moves first

    /// CheckerBoard numbers the squares as in English: b8 is 1, g1 is 32; black starts on 1 to 12.
    static constexpr int square_number(Coordinate c) { return 4 * (c.y + 1) - c.x / 2; }
    static constexpr bool algebraic_squares = true;  // a1, in White's left corner, to h8

    static constexpr bool flying_kings = true;           // 1.4.5: over any number of empty squares
    static constexpr bool men_capture_backwards = true;  // 1.5.3: forward and backward
    static constexpr bool men_take_kings = true;         // any enemy piece
    static constexpr bool crowned_in_passing =
        true;  // 1.5.15: crowned at once, and goes on capturing as a king if it can
    /// Any capture may be chosen, but it must be carried to its end.
    static constexpr CaptureChoice capture_choice = CaptureChoice::any;

    /// The same position for the third time is a draw (7.2.3).
    static constexpr int repetitions_to_draw = 3;

    static constexpr DrawLaw draw_law = DrawLaw::fmjd_64;

    /// Plies of king moves without capture after which CheckerBoard ends the game as a draw.
    static constexpr int reversible_plies_to_draw = checkerboard_plies_to_draw;

    /// Plies, with three against two; found as that of English.
    static constexpr int longest_win_of_kings = 31;
};

}  // namespace defiance
