#pragma once

#include <cstdint>

#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// True when the side to move can capture; captures are compulsory.
template <class Rules>
[[nodiscard]] bool can_capture(const Position& position);

/// Appends the legal captures of the side to move. Captures that take the same pieces between the
/// same squares are one move.
template <class Rules>
void generate_captures(const Position& position, MoveList& moves);

/// Appends the moves without capture, which are legal only when the side to move cannot capture.
template <class Rules>
void generate_quiet_moves(const Position& position, MoveList& moves);

/// Appends the legal moves: the captures if there are any, else the quiet moves. An empty list
/// means that the side to move has lost. The order is the same on every build.
template <class Rules>
void generate_moves(const Position& position, MoveList& moves);

/// The number of legal moves; faster than generating them when there is no capture.
template <class Rules>
[[nodiscard]] std::uint64_t count_moves(const Position& position);

/// The number of move sequences of `depth` plies from the position. Its known values prove the
/// generator right. Depth 0 counts 1; the moves of the last ply are counted without being played.
/// Takes time in proportion to the result.
template <class Rules>
[[nodiscard]] std::uint64_t perft(const Position& position, int depth);

}  // namespace defiance
