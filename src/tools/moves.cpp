#include <algorithm>
#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// The numbers of the squares, rising, with commas between.
std::string list_of(const GameRules& rules, Bitboard squares) {
    std::string text;
    for (int number = 1; number <= 32; ++number)
        if ((squares & bit(rules.index(number))) != 0)
            text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

ExitCode list_moves(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    const GameRules& rules = (*core)->rules;
    const Result<Position> position = position_of(rules, arguments);
    if (!position) return fail(position.error());
    MoveList moves;
    rules.generate_moves(*position, moves);
    DEFIANCE_ASSERT(moves.size() == rules.count_moves(*position));
    std::vector<std::string> lines;
    for (const Move& move : moves) {
        DEFIANCE_ASSERT((move.captured & position->own()) == 0);
        std::string line = to_text(rules, *position, move);
        if (move.is_capture()) line += " takes " + list_of(rules, move.captured);
        lines.push_back(std::move(line));
    }
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines)
        print_line(line);
    return exit_done;
}

constexpr Option moves_options[] = {text_option("fen")};

}  // namespace

const Verb moves_verb = {"moves",
                         "[--game G] [--fen F]",
                         "lists the legal moves of a position",
                         "One move a line, sorted by bytes: '11-15', or '9x18x25 takes 13,22'.\n"
                         "No line at all when there is no move.",
                         {moves_options, {}, 0, 0},
                         list_moves};

}  // namespace defiance
