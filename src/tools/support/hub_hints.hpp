#pragma once

#include <optional>

#include <defiance/base/result.hpp>
#include <defiance/engine/engine.hpp>
#include <tools/support/hub_line.hpp>

namespace defiance {

// What a program that speaks the Hub protocol hints about a position, such as a move from a book or
// a database on the network. Moves are named as hub_notation.hpp says. What is wrong is told and
// has no effect; the rest counts.

/// Gives the engine the arguments `bookmove=M`, `egtbmove=M` and `searchmoves="M1 M2"` of a `go`.
/// Error: what is wrong with one or some of them.
[[nodiscard]] std::optional<Error> give_move_hints(Engine& engine, const GameRules& rules,
                                                   const Position& position, const HubLine& line);

/// Gives the engine the line `hint score=0.12 depth=20 pv="M1 M2"`, with the score in men for the
/// side to move, cut before its first illegal move; `hint clear` takes all hints back. Error: what
/// is wrong. May be called during a search.
[[nodiscard]] std::optional<Error> give_line_hint(Engine& engine, const GameRules& rules,
                                                  const Position& position, const HubLine& line);

}  // namespace defiance
