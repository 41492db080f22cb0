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
/// made of it. docs/development.md says what a new game needs besides a type like this one.
struct English {
    static constexpr std::string_view name = "English";       ///< for people
    static constexpr std::string_view file_word = "english";  ///< in file names and after --game
    static constexpr int game_type = 21;                      ///< CheckerBoard's and PDN's number
    /// PDN 3.0 tag value (pdn.fmjd.org/gametype.html): game_type; the side that begins; columns and
    /// rows; A for algebraic squares or N for numbers, with the corner nearest to a1 or 1 as the
    /// side that begins sees it (0 near left, 1 near right, 2 far left); and 0 where the near left
    /// corner is a playing square, 1 where it is not.
    static constexpr std::string_view pdn_game_type = "21,B,8,8,N1,0";

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

    /// Plies of the longest win with kings alone, max_pieces_of_longest_win of them at most: three
    /// against two. Claims of wins rely on it. `defiance egdb count --pieces 5 --plies` tells it as
    /// the largest `longest` of the lines without men (0m3k-0m2k); a test counts it again.
    static constexpr int longest_win_of_kings = 67;
};

}  // namespace defiance
