#include <algorithm>
#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// One line for each move of the position, with the number of sequences that begin with it.
void print_divide(const GameRules& rules, const Position& position, int depth) {
    DEFIANCE_ASSERT(depth > 0);
    MoveList moves;
    rules.generate_moves(position, moves);
    std::vector<std::string> lines;
    for (const Move& move : moves)
        lines.push_back(to_text(rules, position, move) + ' ' +
                        std::to_string(rules.perft(rules.after(position, move), depth - 1)));
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines)
        print_line(line);
}

ExitCode count_sequences(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    const GameRules& rules = (*core)->rules;
    const Result<Position> position = position_of(rules, arguments);
    if (!position) return fail(position.error());
    const int depth = static_cast<int>(arguments.integer("depth").value_or(0));
    DEFIANCE_ASSERT(depth >= 0);
    if (depth > 0 && arguments.has("divide")) print_divide(rules, *position, depth);
    print_line("nodes " + std::to_string(rules.perft(*position, depth)));
    return exit_done;
}

constexpr Option perft_options[] = {text_option("fen"), required(integer_option("depth", 0, 100)),
                                    flag_option("divide")};

}  // namespace

const Verb perft_verb = {
    "perft",
    "[--game G] [--fen F] --depth N [--divide]",
    "counts the move sequences of N plies",
    "Captures that differ only in the order of the pieces taken count as one move.\n"
    "--divide shows the share of each first move before the sum.",
    {perft_options, {}, 0, 0},
    count_sequences};

}  // namespace defiance
