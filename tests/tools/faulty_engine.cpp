// An engine for the tests of `defiance check` that breaks the API in known ways: its name is too
// long, its reply to `get hashsize` has no end mark, `help` ends its process, it plays a move that
// is not legal and does not listen to playnow.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include <defiance/cb/api.hpp>

namespace {

constexpr std::size_t reply_size = 1024;
/// Long enough to count as deaf, short enough for a test.
constexpr double longest_search = 1.8;

int answer(char* reply, std::string_view text) {
    std::copy(text.begin(), text.end(), reply);
    reply[text.size()] = 0;
    return 1;
}

}  // namespace

int DEFIANCE_CALL enginecommand(char command[256], char reply[1024]) {
    const std::string_view text = command;
    if (text == "get gametype") return answer(reply, "21");
    if (text == "name") {
        std::memset(reply, 'n', 300);
        reply[300] = 0;
        return 1;
    }
    if (text == "get hashsize") {
        std::memset(reply, '8', reply_size);
        return 1;
    }
    if (text == "help") std::_Exit(3);
    return 0;
}

int DEFIANCE_CALL getmove(int board[8][8], int, double maxtime, char str[1024], int*, int, int,
                          CBmove*) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(maxtime, longest_search)));
    str[0] = 0;
    std::swap(board[0][0], board[1][3]);
    return 3;
}
