#pragma once

#include <cstdint>

#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// True when the side to move has a capture, which it must then play.
template <class Rules>
[[nodiscard]] bool can_capture(const Position& position);

/// Appends every legal capture of the side to move; none when there is none. Each move is there
/// once: captures that take the same pieces between the same squares count as one.
template <class Rules>
void generate_captures(const Position& position, MoveList& moves);

/// Appends every move without capture. Legal only when the side to move has no capture.
template <class Rules>
void generate_quiet_moves(const Position& position, MoveList& moves);

/// Appends the legal moves: the captures if there are any, else the quiet moves. An empty list
/// means that the side to move has lost. The order is the same on every build.
template <class Rules>
void generate_moves(const Position& position, MoveList& moves);

/// The number of legal moves, without making the list where that can be avoided.
template <class Rules>
[[nodiscard]] std::uint64_t count_moves(const Position& position);

}  // namespace defiance
