// A driver for endgame databases that has none: what it finds in a folder is told by the folder's
// name, which no file system has to know.
//
//     kind 9 pieces 6              identified so
//     kind 9 pieces 6 closed       identified, but cannot be opened
//     kind 9 pieces 6 empty        opened, but without functions
//     kind 9 pieces 6 answer 4     every position has this answer; without it see answer_of()
//     kind 9 pieces 6 delay 8      each look-up takes 8 ms, as with a cold disk
//     kind 9 pieces 6 opening 8    to identify, open or close it takes 8 ms
//
// Everything else is not identified.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>

#ifdef _WIN32
#define EXPORTED extern "C" __declspec(dllexport)
#else
#define EXPORTED extern "C" __attribute__((visibility("default")))
#endif

namespace {

struct Board {
    std::uint32_t black, white, kings;
};

struct Handle {
    int (*look_up)(Handle*, Board*, int, int);
    void (*reset_statistics)(Handle*);
    void* (*statistics)(Handle*);
    int (*verify)(Handle*);
    int (*close)(Handle*);
    void* own_data;
};

std::atomic<int> open_handles = 0;
std::atomic<int> look_ups = 0;

std::atomic<int> calls_under_way = 0;
std::atomic<int> max_calls_under_way = 0;

/// What the folder's name says about look-ups.
struct OpenFolder {
    int answer;
    int delay;    // in milliseconds
    int opening;  // in milliseconds
};

/// A call of a function that a true driver may not be able to serve beside another. Sleeps.
class LongCall {
public:
    explicit LongCall(int milliseconds) {
        const int now = ++calls_under_way;
        int max = max_calls_under_way;
        while (now > max && !max_calls_under_way.compare_exchange_weak(max, now)) {
        }
        if (milliseconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    }
    ~LongCall() { --calls_under_way; }
    LongCall(const LongCall&) = delete;
    LongCall& operator=(const LongCall&) = delete;
};

int number_after(const char* folder, const char* word) {
    const char* found = std::strstr(folder, word);
    int number = -1000;
    if (found != nullptr) std::sscanf(found + std::strlen(word), "%d", &number);
    return number;
}

/// Different, as a rule, for boards that differ by a square or a king.
int answer_of(const Board& board, int side) {
    const std::uint32_t sum = board.black * 0x9E3779B1U + board.white * 0x85EBCA6BU +
                              board.kings * 0xC2B2AE35U + static_cast<std::uint32_t>(side);
    return 1 + static_cast<int>((sum ^ sum >> 15) % 3);
}

int look_up(Handle* handle, Board* board, int side, int only_if_cached) {
    if (only_if_cached != 0) return -1;
    ++look_ups;
    const auto [answer, delay, opening] = *static_cast<OpenFolder*>(handle->own_data);
    if (delay > 0) std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    return answer == -1000 ? answer_of(*board, side) : answer;
}

int close(Handle* handle) {
    const LongCall call(static_cast<OpenFolder*>(handle->own_data)->opening);
    delete static_cast<OpenFolder*>(handle->own_data);
    delete handle;
    --open_handles;
    return 0;
}

}  // namespace

EXPORTED int egdb_identify(const char* folder, int* kind, int* pieces) {
    const LongCall call(number_after(folder, "opening "));
    *kind = number_after(folder, "kind ");
    *pieces = number_after(folder, "pieces ");
    return *kind < 0 ? 1 : 0;
}

EXPORTED Handle* egdb_open(int board_layout, int pieces, int cache_mebibytes, const char* folder,
                           void (*message)(char*)) {
    const LongCall call(number_after(folder, "opening "));
    char text[2000];
    std::memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    message(text);
    message(nullptr);
    if (board_layout != 0 || pieces > number_after(folder, "pieces ") || cache_mebibytes < 0)
        return nullptr;
    if (std::strstr(folder, "closed") != nullptr) return nullptr;
    static Handle without_functions = {};
    if (std::strstr(folder, "empty") != nullptr) return &without_functions;
    ++open_handles;
    auto* const data =
        new OpenFolder{number_after(folder, "answer "), number_after(folder, "delay "),
                       number_after(folder, "opening ")};
    return new Handle{look_up, nullptr, nullptr, nullptr, close, data};
}

/// For tests: handles that have been opened and not closed.
EXPORTED int fake_open_handles() {
    return open_handles;
}

/// For tests: as many calls that identify, open or close were under way at once.
EXPORTED int fake_max_calls_under_way() {
    return max_calls_under_way;
}

/// For tests: look-ups so far.
EXPORTED int fake_look_ups() {
    return look_ups;
}
