#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/perft.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// One line for each move of the position, with the number of sequences that begin with it.
template <class Rules>
void print_shares(const Position& position, int depth) {
    MoveList moves;
    generate_moves<Rules>(position, moves);
    std::vector<std::string> lines;
    for (const Move& move : moves)
        lines.push_back(to_text(rules_of<Rules>, position, move) + ' ' +
                        std::to_string(perft<Rules>(after<Rules>(position, move), depth - 1)));
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines)
        print_line(line);
}

template <class Rules>
ExitCode count_sequences(const Arguments& arguments) {
    const Result<Position> position = position_of<Rules>(arguments);
    if (!position) return fail(position.error());
    const int depth = static_cast<int>(arguments.integer("depth").value_or(0));
    if (depth > 0 && arguments.has("divide")) print_shares<Rules>(*position, depth);
    print_line("nodes " + std::to_string(perft<Rules>(*position, depth)));
    return exit_done;
}

ExitCode run_perft(const Arguments& arguments) {
    return with_rules(arguments, [&]<class Rules>() { return count_sequences<Rules>(arguments); });
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
    run_perft};

}  // namespace defiance
