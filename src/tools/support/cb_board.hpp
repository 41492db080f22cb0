#pragma once

#include <string>

#include <defiance/rules/position.hpp>

namespace defiance {

/// A board as it crosses the border with an engine: squares[x][y] holds 0 or a piece code.
struct CbBoard {
    int squares[8][8] = {};

    [[nodiscard]] bool operator==(const CbBoard&) const = default;
};

/// The position's pieces as an engine gets them.
[[nodiscard]] CbBoard to_cb_board(const Position& position);

/// The colour to move as an engine gets it.
[[nodiscard]] int color_to_move(const Position& position);

/// A small picture of the board for a console, eight lines: b w men, B W kings, first row on top.
[[nodiscard]] std::string picture_of(const Position& position);

}  // namespace defiance
