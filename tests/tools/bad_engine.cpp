// An engine that plays any legal move of English draughts until it misbehaves, for tests of those
// who load engines. The command `mode NAME N` chooses how, in the N-th move of this process:
//
//   crash, exit, hang        in getmove; hang does not look at playnow
//   deaf                     hangs in the command before the move
//   illegal, unchanged       returns a board that no legal move leads to
//   status, far_status       writes 100 bytes, or 1 MiB, behind the status line's 1024
//   reply, far_reply         the same for the reply to the command before the move
//   print                    writes to standard output what a referee could take for an answer,
//                            and a line to standard error
//   win                      claims to have won
//   wait                     thinks until it is told to move
//   leave                    ends soon after it has moved
//
// The environment may do so too: DEFIANCE_BAD_MODE, `NAME N`.
//
// `hold` takes 200 MiB of memory, `die` crashes at once. It refuses `refuse`. The game it says it
// plays is that of the file gametype.txt in its folder, if there is one. Likewise it has an option
// `level`, which it stores, if level.txt is there.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <defiance/cb/api.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/generator.hpp>

using namespace defiance;

namespace {

constexpr std::size_t text_size = 1024;
constexpr std::size_t a_little = 100;
constexpr std::size_t far_away = 1 << 20;

/// Commands come on one thread, moves on another, but never at once.
struct State {
    std::string mode;
    int bad_move = 0;
    std::atomic<int> moves = 0;
    std::vector<char> memory;
};
State state;

void set_mode(std::istringstream& words) {
    words >> state.mode >> state.bad_move;
}

std::string game_type() {
    std::string type = "21";
    std::ifstream("gametype.txt") >> type;
    return type;
}

void say(char* place, const char* text) {
    std::memcpy(place, text, std::strlen(text) + 1);
}

constexpr const char* level_file = "level.txt";

/// The stored option; empty when it has none.
std::string level() {
    std::string value;
    std::ifstream(level_file) >> value;
    return value;
}

/// Answers `get level` and `set level N`. False without the option.
bool answer_level(const std::string& verb, const std::string& value, char* reply) {
    const std::string before = level();
    if (before.empty()) return false;
    if (verb == "get") say(reply, before.c_str());
    if (verb == "set") std::ofstream(level_file) << value;
    return true;
}

/// Whether it is time to misbehave like that.
bool is_time_to(const char* mode) {
    return state.mode == mode && state.moves == state.bad_move;
}

/// Writes over the end of a text of 1024 bytes; volatile, because no compiler shall see how far.
void overflow(char* place, std::size_t excess) {
    volatile char* const bytes = place;
    for (std::size_t i = 0; i < text_size + excess; ++i)
        bytes[i] = 'x';
}

void hang() {
    std::this_thread::sleep_for(std::chrono::seconds(60));
}

/// Plays the first legal move, if there is one.
void move(int board[8][8], int color) {
    const Result<Position> position = read_board(board, color);
    if (!position) return;
    MoveList moves;
    generate_moves<English>(*position, moves);
    if (moves.size() != 0) write_board(after<English>(*position, moves[0]), board);
}

/// Until playnow is set; for a minute at most, so that no test leaves a process behind.
void wait_for(int* play_now) {
    const std::atomic_ref<int> is_wanted(*play_now);
    for (int i = 0; i < 60'000 && is_wanted == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Ends the process when the move has been told.
void leave_soon() {
    std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        std::_Exit(0);
    }).detach();
}

void misbehave_before_move(int* play_now) {
    if (is_time_to("crash")) std::abort();
    if (is_time_to("exit")) std::_Exit(0);
    if (is_time_to("hang")) hang();
    if (is_time_to("wait")) wait_for(play_now);
    if (!is_time_to("print")) return;
    std::puts("moved 3 0.0 none nothing\nreply 0 0 no");
    std::fflush(stdout);
    std::fputs("an error\n", stderr);
}

}  // namespace

extern "C" {

DEFIANCE_EXPORT int DEFIANCE_CALL getmove(int board[8][8], int color, double, char str[1024],
                                          int* play_now, int, int, CBmove*) {
    if (const char* mode = std::getenv("DEFIANCE_BAD_MODE"); mode != nullptr) {
        std::istringstream words(mode);
        set_mode(words);
    }
    ++state.moves;
    misbehave_before_move(play_now);
    say(str, "value=0 depth 1");
    if (is_time_to("status")) overflow(str, a_little);
    if (is_time_to("far_status")) overflow(str, far_away);
    if (!is_time_to("unchanged")) move(board, color);
    if (is_time_to("illegal")) board[0][0] = cb_white | cb_king;
    if (is_time_to("leave")) leave_soon();
    return is_time_to("win") ? cb_win : cb_unknown;
}

DEFIANCE_EXPORT int DEFIANCE_CALL enginecommand(char command[256], char reply[1024]) {
    std::istringstream words(command);
    std::string verb;
    words >> verb;
    say(reply, "");
    if (verb == "name") say(reply, "Bad Engine");
    if (verb == "mode") set_mode(words);
    if (verb == "die") std::abort();
    std::string option;
    std::string value;
    words >> option >> value;
    if (option == "level") return answer_level(verb, value, reply) ? 1 : 0;
    if (verb == "hold") state.memory.assign(std::size_t{200} << 20, 'm');
    if (std::string(command).find("get gametype") == 0) say(reply, game_type().c_str());
    // The move that this command comes before.
    const bool is_before_bad_move =
        std::string(command).find("set gamehist") == 0 && state.moves + 1 == state.bad_move;
    if (is_before_bad_move && state.mode == "deaf") hang();
    if (is_before_bad_move && state.mode == "reply") overflow(reply, a_little);
    if (is_before_bad_move && state.mode == "far_reply") overflow(reply, far_away);
    return verb == "refuse" ? 0 : 1;
}

DEFIANCE_EXPORT int DEFIANCE_CALL islegal(int[8][8], int, int, int, CBmove*) {
    return 0;
}
}
