#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/arguments.hpp>
#include <tools/support/engine_calls.hpp>

namespace defiance {

/// The games the console tool knows.
[[nodiscard]] std::span<const GameCore* const> built_games();

/// The game with this word after --game, or with CheckerBoard's number; null for an unknown one.
[[nodiscard]] const GameCore* find_game(std::string_view word);
[[nodiscard]] const GameCore* find_game(int game_type);

/// The game named by --game, English when it was left out. Error: that game is not built in.
[[nodiscard]] Result<const GameCore*> game_of(const Arguments& arguments);

/// The game that an engine says it plays; English when it does not say, as CheckerBoard takes it.
/// Error: that game is not built in.
[[nodiscard]] Result<const GameCore*> game_of(const EngineCalls& engine);

/// CheckerBoard's number of the game in an engine's answer to `get gametype`.
[[nodiscard]] int game_type_in(const EngineReply& reply);

/// True when the value of the PDN tag GameType, such as `21,B,8,8,N1,0`, names the game. Portuguese
/// draughts, `28,W,8,8,N1,1`, is the Spanish game under another name.
[[nodiscard]] bool names_game(std::string_view type, const GameRules& rules);

/// Error: the value of that tag names another game; which word after --game it has, if it is known.
[[nodiscard]] std::optional<Error> find_other_game(std::string_view type, const GameRules& rules);

/// What makes the position unfit to be played on, or an empty text. A side without pieces can play:
/// it simply has no move.
[[nodiscard]] std::string find_problem(const Position& position);

/// The position that the text describes. Error: it describes none, or one that cannot be played on.
[[nodiscard]] Result<Position> read_position(const GameRules& rules, std::string_view fen);

/// The position given with --fen, the start position of the game when it was left out.
[[nodiscard]] Result<Position> position_of(const GameRules& rules, const Arguments& arguments);

}  // namespace defiance
