#pragma once

#include <string_view>

#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/move.hpp>

namespace defiance {

/// Brazilian draughts: the international rules on 64 squares.
/// Source: Confederação Brasileira de Jogo de Damas, Regras oficiais 64 casas e 100 casas (numbers
/// at the line's end).
struct Brazilian {
    static constexpr std::string_view name = "Brazilian";
    static constexpr std::string_view file_word = "brazilian";
    static constexpr int game_type = 26;
    static constexpr std::string_view pdn_game_type = "26,W,8,8,A0,0";

    static constexpr Side first_side =
        Side::white;  // 4: White moves first; CheckerBoard lets Black

    /// CheckerBoard numbers the squares as in English; black starts on 1 to 12.
    static constexpr int square_number(Coordinate c) { return 4 * (c.y + 1) - c.x / 2; }
    static constexpr bool algebraic_squares = true;  // a1, in White's left corner, to h8

    static constexpr bool flying_kings = true;           // 8: over any number of empty squares
    static constexpr bool men_capture_backwards = true;  // 11: forward and backward
    static constexpr bool men_take_kings = true;         // 10: any enemy piece
    static constexpr bool crowned_in_passing = false;    // 13: it captures on and stays a man
    /// A capture of the most pieces (12); a king counts as one piece (10).
    static constexpr CaptureChoice capture_choice = CaptureChoice::most_pieces;

    /// The same position for the third time is a draw.
    static constexpr int repetitions_to_draw = 3;

    static constexpr DrawLaw draw_law = DrawLaw::plain;

    /// Plies of king moves without capture after which the game is drawn: 20 moves of each player
    /// by the Brazilian federation (16). FMJD Section 64 asks for 15 of each in international play.
    /// Left out is that the Brazilian federation ends some endings of at most two pieces a side
    /// after 5 moves of each player.
    static constexpr int reversible_plies_to_draw = 40;

    /// Plies, with three against two; found as that of English.
    static constexpr int longest_win_of_kings = 31;
};

}  // namespace defiance
