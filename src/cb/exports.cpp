#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include <defiance/base/encoding.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/cb/api.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/cb/status.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>

#include DEFIANCE_GAME_HEADER

namespace {

using Rules = defiance::DEFIANCE_GAME;

// On Windows the help page is a resource of the DLL and this array holds nothing.
constexpr unsigned char embedded_help_page[] = {
#if __has_include("help_page.inc")
#include "help_page.inc"
#endif
    0};

std::string_view help_page() {
    const std::string_view resource = defiance::find_resource("HELP_PAGE");
    if (!resource.empty()) return resource;
    return {reinterpret_cast<const char*>(embedded_help_page), std::size(embedded_help_page) - 1};
}

/// The one object behind the exports, made by the first call, whichever thread it comes from.
defiance::CheckerBoardEngine& engine() {
    static defiance::CheckerBoardEngine instance(
        defiance::core_of<Rules>, defiance::base_name_of(defiance::module_path()), help_page());
    return instance;
}

/// The last resort when memory ran out while thinking: some legal move, found without any.
int play_any_move(int board[8][8], int color, char* str, CBmove* move) {
    using namespace defiance;
    const Result<Position> position = read_board(board, color);
    MoveList moves;
    if (position) generate_moves<Rules>(*position, moves);
    write_status(str, "out of memory");
    if (moves.empty()) return cb_unknown;
    const Position next = after<Rules>(*position, moves[0]);
    write_board(next, board);
    if (move != nullptr) *move = describe_legal_move(rules_of<Rules>, *position, moves[0]);
    return cb_unknown;
}

int write_reply(const defiance::Reply& answer, char* reply) {
    if (reply == nullptr) return answer.code;
    // Only the bytes needed: hosts pass buffers smaller than the 1024 bytes of the API.
    const std::size_t length = std::min<std::size_t>(answer.text.size(), 1023);
    std::memcpy(reply, answer.text.data(), length);
    reply[length] = 0;
    return answer.code;
}

}  // namespace

// No exception may reach the host, which is another program, often in another language.

int DEFIANCE_CALL getmove(int board[8][8], int color, double maxtime, char str[1024], int* playnow,
                          int info, int moreinfo, CBmove* move) {
    try {
        return engine().get_move(board, color, maxtime, str, playnow, info, moreinfo, move);
    } catch (...) {
    }
    try {
        return play_any_move(board, color, str, move);
    } catch (...) {
        return defiance::cb_unknown;
    }
}

int DEFIANCE_CALL enginecommand(char command[256], char reply[1024]) {
    try {
        using namespace defiance;
        // CheckerBoard speaks ANSI.
        Reply answer = engine().answer(utf8_from_ansi(command != nullptr ? command : ""));
        answer.text = ansi_from_utf8(answer.text);
        return write_reply(answer, reply);
    } catch (...) {
        return write_reply({0, {}}, reply);
    }
}

int DEFIANCE_CALL islegal(int board[8][8], int color, int from, int to, CBmove* move) {
    try {
        return engine().is_legal(board, color, from, to, move);
    } catch (...) {
        return 0;
    }
}
