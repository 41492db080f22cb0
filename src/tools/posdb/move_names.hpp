#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// A legal move as the position database names it.
struct NamedMove {
    Move move;
    Position after;
    std::string name;        ///< every landing square, in numbers: `11-15`, `2x11x18`
    std::string short_name;  ///< start and end where that is clear: `2x18`
};

/// The legal moves in the order of their names. A capture that can be made on several paths has the
/// name of the path with the smallest numbers; moves to the same position are one move.
[[nodiscard]] std::vector<NamedMove> named_moves(const GameRules& rules, const Position& position);

/// The names of all paths of a capture, in rising order; of a quiet move its name.
[[nodiscard]] std::vector<std::string> path_names(const GameRules& rules, const Position& position,
                                                  const Move& move);

/// The move that a request names: as parse_move() reads it, with or without `move:` before it, and
/// with algebraic squares also without signs between them, `a3b4`.
[[nodiscard]] Result<Move> parse_request_move(const GameRules& rules, const Position& position,
                                              std::string_view text);

/// The index in `moves` of the move that parse_request_move() reads; any path of a capture will do,
/// and a short form that can mean only one. Nothing when it names none.
[[nodiscard]] std::optional<std::size_t> find_move(const GameRules& rules, const Position& position,
                                                   const std::vector<NamedMove>& moves,
                                                   std::string_view text);

}  // namespace defiance
