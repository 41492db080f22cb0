#include <algorithm>
#include <string>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/numbering.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// The numbers of the squares, rising, with commas between.
template <class Rules>
std::string list_of(Bitboard squares) {
    std::string text;
    for (int number = 1; number <= 32; ++number)
        if ((squares & bit(Numbering<Rules>::index(number))) != 0)
            text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

template <class Rules>
ExitCode list_moves(const Arguments& arguments) {
    const Result<Position> position = position_of<Rules>(arguments);
    if (!position) return fail(position.error());
    MoveList moves;
    generate_moves<Rules>(*position, moves);
    std::vector<std::string> lines;
    for (const Move& move : moves) {
        std::string line = to_text(rules_of<Rules>, *position, move);
        if (move.is_capture()) line += " takes " + list_of<Rules>(move.captured);
        lines.push_back(std::move(line));
    }
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines)
        print_line(line);
    return exit_done;
}

ExitCode run_moves(const Arguments& arguments) {
    return with_rules(arguments, [&]<class Rules>() { return list_moves<Rules>(arguments); });
}

constexpr Option moves_options[] = {text_option("fen")};

}  // namespace

const Verb moves_verb = {"moves",
                         "[--game G] [--fen F]",
                         "lists the legal moves of a position",
                         "One move a line, sorted by bytes: '11-15', or '9x18x25 takes 13,22'.\n"
                         "No line at all when there is no move.",
                         {moves_options, {}, 0, 0},
                         run_moves};

}  // namespace defiance
