#pragma once

#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// A move as the Checkers Middleware protocol writes it: the start square and every square landed
/// on, numbers with single spaces between, `24 20` or `2 11 18`.
[[nodiscard]] std::string to_middleware_text(const GameRules& rules, const Position& position,
                                             const Move& move);

/// Whether a move may leave out squares between its first and its last, as long as only one move
/// can be meant.
enum class MiddlewareForm { whole, may_be_short };

/// The legal move that the text names, in full unless it may be short; white space around and
/// between the numbers and zeros before them do not matter, and of a flying king's landing squares
/// any that lead the same way will do. Error: why it is none, among others because it leaves
/// squares out.
[[nodiscard]] Result<Move> parse_middleware_text(const GameRules& rules, const Position& position,
                                                 std::string_view text,
                                                 MiddlewareForm form = MiddlewareForm::whole);

}  // namespace defiance
