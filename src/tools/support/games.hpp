#pragma once

#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// A list of rules types.
template <class... Rules>
struct GameList {};

/// The games the console tool knows. A further game is a further name here.
using BuiltGames = GameList<English, Italian, Spanish, Russian, Brazilian, Czech>;

/// Calls `action.template operator()<Rules>()` with the rules type of each game in the list.
template <class Action, class... Rules>
void for_each_game(GameList<Rules...>, Action action) {
    (action.template operator()<Rules>(), ...);
}

/// The word given with --game, English when it was left out.
[[nodiscard]] std::string_view game_word(const Arguments& arguments);

/// Why the game with this word cannot be served, for the user; `known` are the words of those that
/// can.
[[nodiscard]] std::string describe_missing_game(std::string_view word, std::string_view known);

namespace detail {

template <class Action, class... Rules>
ExitCode choose_game(GameList<Rules...>, std::string_view word, Action& action) {
    ExitCode code = exit_done;
    const bool found =
        ((word == Rules::file_word && (code = action.template operator()<Rules>(), true)) || ...);
    if (found) return code;
    std::string known;
    ((known += ' ' + std::string(Rules::file_word)), ...);
    return fail(describe_missing_game(word, known));
}

}  // namespace detail

/// Runs the action with the rules type of the game named by --game and returns what it returns:
/// `with_rules(arguments, [&]<class Rules>() { return play<Rules>(arguments); })`. For a game that
/// is not built in: says so and returns exit_wrong_input.
template <class Action>
[[nodiscard]] ExitCode with_rules(const Arguments& arguments, Action action) {
    return detail::choose_game(BuiltGames{}, game_word(arguments), action);
}

/// What makes the position unfit to be played on, or an empty text. A side without pieces is fit:
/// it simply has no move.
[[nodiscard]] std::string find_problem(const Position& position);

/// The position that the text describes, if it can be played on.
template <class Rules>
[[nodiscard]] Result<Position> read_position(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<Rules>, fen);
    if (!position) return position;
    std::string problem = find_problem(*position);
    if (!problem.empty()) return Error{std::move(problem)};
    return position;
}

/// The position given with --fen, the start position of the game when it was left out.
template <class Rules>
[[nodiscard]] Result<Position> position_of(const Arguments& arguments) {
    const auto fen = arguments.text("fen");
    if (!fen) return start_position(Rules::first_side);
    const Result<Position> position = read_position<Rules>(*fen);
    if (!position) return Error{"--fen: " + position.error()};
    return position;
}

}  // namespace defiance
