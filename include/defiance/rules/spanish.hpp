#pragma once

#include <string_view>

#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// Spanish draughts (damas españolas); Portuguese draughts has the same rules.
/// Source: Federação Portuguesa de Damas, Regras do jogo de damas clássicas (2013; sections at the
/// line's end), with the Spanish numbering, which is the Portuguese one.
struct Spanish {
    static constexpr std::string_view name = "Spanish";
    static constexpr std::string_view file_word = "spanish";
    static constexpr int game_type = 24;
    static constexpr std::string_view pdn_game_type = "24,W,8,8,N1,1";

    static constexpr Side first_side = Side::white;  // White moves first

    /// Counted from White's bottom right corner, row by row; white starts on 1 to 12.
    static constexpr int square_number(Coordinate c) { return 1 + 4 * (7 - c.y) + (7 - c.x) / 2; }
    static constexpr bool algebraic_squares = false;  // squares have numbers only

    static constexpr bool flying_kings = true;            // 2.2: over any number of empty squares
    static constexpr bool men_capture_backwards = false;  // 2.2: forward only
    static constexpr bool men_take_kings = true;          // 2.2: any enemy piece
    static constexpr bool crowned_in_passing = false;     // 2.2: the last row ends its move
    /// The laws of capture (3.1): quantity, then quality; men and kings capture with equal right.
    static constexpr CaptureChoice capture_choice = CaptureChoice::most_pieces_and_kings;

    /// The same position for the third time is a draw (2.3).
    static constexpr int repetitions_to_draw = 3;

    static constexpr DrawLaw draw_law = DrawLaw::plain;

    /// Plies of king moves without capture after which CheckerBoard ends the game as a draw. The
    /// federation limits some endings further (3.2); the text of that section was not available.
    static constexpr int reversible_plies_to_draw = checkerboard_plies_to_draw;

    /// Plies, with three against two; found as that of English.
    static constexpr int longest_win_of_kings = 31;
};

}  // namespace defiance
