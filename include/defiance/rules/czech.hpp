#pragma once

#include <string_view>

#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// Czech draughts (česká dáma).
/// Source: Česká federace dámy, Pravidla české dámy (clause numbers in brackets).
struct Czech {
    static constexpr std::string_view name = "Czech";
    static constexpr std::string_view file_word = "czech";
    static constexpr int game_type = 29;
    static constexpr std::string_view pdn_game_type = "29,W,8,8,A0,0";

    static constexpr Side first_side = Side::white;  // White moves first

    /// CheckerBoard's numbers: a1, in White's left corner, is 1 and h8 is 32; white starts on 1
    /// to 12.
    static constexpr int square_number(Coordinate c) { return 32 - 4 * c.y - c.x / 2; }
    static constexpr bool algebraic_squares = true;  // a1, in White's left corner, to h8

    static constexpr bool flying_kings = true;            // 3.9: over any number of empty squares
    static constexpr bool men_capture_backwards = false;  // 4.1: forward only
    static constexpr bool men_take_kings = true;          // any enemy piece
    static constexpr bool crowned_in_passing = false;     // the last row ends its move
    /// Any capture, but by a king when a king can capture (4.14).
    static constexpr CaptureChoice capture_choice = CaptureChoice::king_before_man;

    /// The same position for the third time is a draw.
    static constexpr int repetitions_to_draw = 3;

    static constexpr DrawLaw draw_law = DrawLaw::plain;

    /// Plies of king moves without capture after which CheckerBoard ends the game as a draw.
    static constexpr int reversible_plies_to_draw = checkerboard_plies_to_draw;

    /// Plies, with three against two; found as that of English.
    static constexpr int longest_win_of_kings = 31;
};

}  // namespace defiance
