#pragma once

#include <string>

#include <defiance/base/text.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/games.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// The game type an engine says it plays; English when it does not say, as CheckerBoard takes it.
[[nodiscard]] int game_type_of(const EngineDll& engine);

namespace detail {

template <class Action, class... Rules>
ExitCode choose_game_type(GameList<Rules...>, int game_type, Action& action) {
    ExitCode code = exit_done;
    const bool found =
        ((game_type == Rules::game_type && (code = action.template operator()<Rules>(), true)) ||
         ...);
    if (found) return code;
    return fail("game type " + std::to_string(game_type) + " is not known");
}

}  // namespace detail

/// Runs the action with the rules type of the game that the engine plays and returns what it
/// returns. For a game that is not built in: says so and returns exit_wrong_input.
template <class Action>
[[nodiscard]] ExitCode with_rules_of(const EngineDll& engine, Action action) {
    return detail::choose_game_type(BuiltGames{}, game_type_of(engine), action);
}

}  // namespace defiance
