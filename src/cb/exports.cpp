// What CheckerBoard calls. This file and what it uses are compiled for any processor, with the
// namespace renamed, so that no function in it can be exchanged for one that is compiled for newer
// ones (cmake/engine.cmake). On a processor too old for the engine it plays some legal move and
// says why: an instruction that does not exist would end the GUI.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <defiance/base/processor.hpp>
#include <defiance/cb/api.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/rules/game_rules.hpp>

#include "engine_name.hpp"
#include "entry.hpp"

#include DEFIANCE_GAME_HEADER

namespace {

using namespace defiance;

constexpr const GameRules& rules = rules_of<DEFIANCE_GAME>;

constexpr std::string_view too_old =
    "This processor is too old: it lacks the instruction POPCNT, which Defiance needs. "
    "Any legal move is played.";

bool is_processor_too_old() {
#ifdef DEFIANCE_NEEDS_POPCNT
    static const bool is_too_old = !detect_processor().has_popcnt;
    return is_too_old;
#else
    return false;
#endif
}

/// Copies the text, its terminator first, so that another thread always finds one when it reads.
void write_text(char* buffer, std::string_view text) {
    if (buffer == nullptr) return;
    constexpr std::size_t max_bytes = 1023;
    volatile char* out = buffer;
    const std::size_t length = std::min(text.size(), max_bytes);
    out[length] = 0;
    for (std::size_t i = 0; i < length; ++i)
        out[i] = text[i];
}

/// Plays some legal move, without a search and without allocating memory, but for the path of a
/// capture.
int play_any_move(int board[8][8], int color, char* str, CBmove* move, std::string_view reason) {
    if (move != nullptr) *move = describe_nothing(board);
    write_text(str, reason);
    const Result<Position> position = read_board(board, color);
    if (!position) return cb_unknown;
    MoveList moves;
    rules.generate_moves(*position, moves);
    if (moves.empty()) return cb_loss;
    // Board and move must agree, also when there is no memory for the path.
    const CBmove described = describe_legal_move(rules, *position, moves[0]);
    write_board(rules.after(*position, moves[0]), board);
    if (move != nullptr) *move = described;
    return cb_unknown;
}

/// The commands that are answered when the engine cannot run.
int answer_without_engine(std::string_view command, char* reply) {
    std::string text;
    if (command == "name") text = engine_name(rules);
    if (command == "about") text = engine_name(rules) + "\n\n" + std::string(too_old);
    if (command == "hint") text = too_old;
    if (command == "get gametype") text = std::to_string(rules.game_type);
    if (command == "get protocolversion") text = "2";
    write_text(reply, text.empty() ? "?" : text);
    return text.empty() ? 0 : 1;
}

/// Describes the first legal move between two squares, if there is one.
int find_move(const int board[8][8], int color, int from, int to, CBmove* move) {
    const Result<Position> position = read_board(board, color);
    if (!position || !is_square_number(from) || !is_square_number(to)) return 0;
    MoveList moves;
    rules.generate_moves(*position, moves);
    const auto* const found = std::find_if(moves.begin(), moves.end(), [&](const Move& m) {
        return m.from == rules.index(from) && m.to == rules.index(to);
    });
    if (found == moves.end()) return 0;
    if (move != nullptr) *move = describe_legal_move(rules, *position, *found);
    return 1;
}

}  // namespace

// No exception may reach the caller, which is another program, often in another language.

int DEFIANCE_CALL getmove(int board[8][8], int color, double maxtime, char str[1024], int* playnow,
                          int info, int moreinfo, CBmove* move) {
    std::string_view reason = too_old;
    try {
        if (!is_processor_too_old())
            return defiance_get_move(board, color, maxtime, str, playnow, info, moreinfo, move);
    } catch (...) {
        reason = "out of memory";
    }
    try {
        return play_any_move(board, color, str, move, reason);
    } catch (...) {
        return cb_unknown;
    }
}

int DEFIANCE_CALL enginecommand(char command[256], char reply[1024]) {
    const char* const text = command != nullptr ? command : "";
    try {
        return is_processor_too_old() ? answer_without_engine(text, reply)
                                      : defiance_answer(text, reply);
    } catch (...) {
        write_text(reply, {});
        return 0;
    }
}

int DEFIANCE_CALL islegal(int board[8][8], int color, int from, int to, CBmove* move) {
    try {
        return is_processor_too_old() ? find_move(board, color, from, to, move)
                                      : defiance_is_legal(board, color, from, to, move);
    } catch (...) {
        return 0;
    }
}
