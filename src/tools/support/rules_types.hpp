#pragma once

#include <tools/support/arguments.hpp>
#include <tools/support/games.hpp>
#include <tools/support/report.hpp>

namespace defiance {

// For what is compiled for each rules type, such as making endgame databases. Everything else takes
// a GameRules or a GameCore, see games.hpp.

/// Calls `action.template operator()<Rules>()` with the rules type of each game in the list.
template <class Action, class... Rules>
void for_each_game(GameList<Rules...>, Action action) {
    (action.template operator()<Rules>(), ...);
}

/// Runs the action with the rules type of the game named by --game and returns what it returns:
/// `with_rules(arguments, [&]<class Rules>() { return play<Rules>(arguments); })`. For a game that
/// is not built in: says so and returns exit_wrong_input.
template <class Action>
[[nodiscard]] ExitCode with_rules(const Arguments& arguments, Action action) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    ExitCode code = exit_done;
    for_each_game(AllGames{}, [&]<class Rules>() {
        if (&(*core)->rules == &rules_of<Rules>) code = action.template operator()<Rules>();
    });
    return code;
}

}  // namespace defiance
