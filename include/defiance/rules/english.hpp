#pragma once

#include <string_view>

#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// English draughts, also called American checkers.
/// Source: World Checkers/Draughts Federation, Rules of Draughts (rule numbers at the line's end).
///
/// A rules type holds constants only. Generator, search and endgame databases are templates on it,
/// so that a rule costs nothing at run time; everything else gets what it needs from the GameRules
/// made of it. README.md says what a new game needs besides a type like this one.
struct English {
    static constexpr std::string_view name = "English";       ///< for people
    static constexpr std::string_view file_word = "english";  ///< in file names and after --game
    static constexpr int game_type = 21;                      ///< CheckerBoard's and PDN's number
    static constexpr std::string_view pdn_game_type = "21,B,8,8,N1,0";  ///< PDN 3.0 tag value

    static constexpr Side first_side = Side::black;  // 1.9: the darker pieces move first

    /// The number of the square in notation (1.6): counted from the black player's right-hand
    /// corner to the left, row by row; black starts on 1 to 12.
    static constexpr int square_number(Coordinate c) { return 4 * (c.y + 1) - c.x / 2; }
    static constexpr bool algebraic_squares = false;  // squares have numbers only

    static constexpr bool flying_kings = false;           // a king goes one square
    static constexpr bool men_capture_backwards = false;  // men go and capture forward
    static constexpr bool men_take_kings = true;          // a capture is of any enemy piece
    /// Whether a man that reaches the last row in mid-capture goes on capturing as a king. Here it
    /// cannot go on at all: it captures forward only.
    static constexpr bool crowned_in_passing = false;
    static constexpr CaptureChoice capture_choice = CaptureChoice::any;

    /// The same position for the third time with the same side to move is a draw (1.30).
    static constexpr int repetitions_to_draw = 3;

    static constexpr DrawLaw draw_law = DrawLaw::plain;

    /// Plies of king moves without capture after which the game is drawn. Rule 1.32 asks for 40
    /// moves of each player, 80 plies; CheckerBoard ends every game one ply earlier.
    static constexpr int reversible_plies_to_draw = checkerboard_plies_to_draw;
};

}  // namespace defiance
