#pragma once

#include <string_view>

#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// Italian draughts (dama italiana).
/// Source: Federazione Italiana Dama, Regolamento tecnico, Capo I, editions of 2006 and 2008
/// (articles at the line's end).
struct Italian {
    static constexpr std::string_view name = "Italian";
    static constexpr std::string_view file_word = "italian";
    static constexpr int game_type = 22;
    static constexpr std::string_view pdn_game_type = "22,W,8,8,N2,1";

    static constexpr Side first_side = Side::white;  // 3.4: White moves first

    /// Counted from the top left corner as White sees it, row by row (2.4); black starts on 1
    /// to 12.
    static constexpr int square_number(Coordinate c) { return 1 + 4 * c.y + c.x / 2; }
    static constexpr bool algebraic_squares = false;  // squares have numbers only

    static constexpr bool flying_kings = false;           // 4.7: a king goes one square
    static constexpr bool men_capture_backwards = false;  // 5.3 a: forward only
    static constexpr bool men_take_kings = false;         // 5.3 b: a man cannot take a king
    static constexpr bool crowned_in_passing = false;     // the last row ends its move
    /// Clauses 6.6 to 6.9 (edition of 2008): the capture of most pieces; if several, by a king; if
    /// several, of most kings; if several, where the kings come first. Rule texts differ on what
    /// the last step compares when the first kings come equally early: here the whole order counts,
    /// which gives the perft figures published by Ed Gilbert.
    static constexpr CaptureChoice capture_choice = CaptureChoice::italian;

    /// The same position for the third time is a draw. The federation's own page asks for three
    /// occurrences, the edition of 2008 for four (9.3 b1); CheckerBoard ends the game at three.
    static constexpr int repetitions_to_draw = 3;

    static constexpr DrawLaw draw_law = DrawLaw::plain;

    /// Plies of king moves without capture after which the game is drawn: 40 moves of each player
    /// by clause 10.4; CheckerBoard ends every game one ply earlier.
    static constexpr int reversible_plies_to_draw = checkerboard_plies_to_draw;

    /// Plies, with three against two; found as that of English.
    static constexpr int longest_win_of_kings = 67;
};

}  // namespace defiance
