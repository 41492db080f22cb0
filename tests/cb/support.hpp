#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/cb_game.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/openings.hpp>

#include "platform.hpp"

namespace defiance::test {

/// A game of English draughts.
class EnglishGame : public CbGame {
public:
    explicit EnglishGame(const Position& start) : CbGame(rules_of<English>, start) {}
};

inline constexpr double until_told = 8600000;
/// For a move whose end is known or proven soon: it takes no longer than it must, but a busy
/// machine may need a while for it.
inline constexpr double patience = 20;
inline constexpr int new_game_bit = 1;
inline constexpr int exact_bit = 2;

/// Folder of the copies of the engine that the tests load, with a final separator. Copies, because
/// a copy has its own stored options, and is loaded afresh whatever was done to another.
[[nodiscard]] std::string copies_folder();

/// Path of a copy of the engine file under this name, made on first use.
[[nodiscard]] std::string engine_copy(const std::string& name);

/// Path of a copy of the engine file of another game, for which the word stands that is in file
/// names. Made on first use.
[[nodiscard]] std::string game_engine_copy(std::string_view game);

/// Loads the file; the test fails when that does not succeed.
[[nodiscard]] EngineDll load(const std::string& path);

/// The engine that most tests share. Its table is small.
[[nodiscard]] const EngineDll& engine();

/// True when the condition becomes true within half a minute. For what other threads do: the system
/// counts a thread for a while after it has ended, and keeps some in case they are needed again.
template <class Condition>
[[nodiscard]] bool comes_true(Condition condition) {
    for (int i = 0; i < 3000; ++i) {
        if (condition()) return true;
        sleep_milliseconds(10);
    }
    return condition();
}

/// The position of a FEN, which must be one.
[[nodiscard]] Position position_of(std::string_view fen);

/// The board before the first move.
[[nodiscard]] CbBoard start_board();

[[nodiscard]] std::vector<Move> legal_moves(const Position& position);

/// True when the board is one that a legal move of the position leads to.
[[nodiscard]] bool is_successor(const Position& position, const CbBoard& board);

/// A getmove with everything that it may write to within reach.
struct Call {
    explicit Call(const Position& p)
        : position(p), board(to_cb_board(p)), color(color_to_move(p)) {}

    /// Makes the call on this thread and returns its result. `seconds_used` tells how long it took.
    int run(const EngineDll& dll, double seconds, int info = 0, int more_info = 0);

    Position position;
    CbBoard board;
    int color;
    StatusLine status;
    int play_now = 0;
    CBmove move{};
    double seconds_used = 0;

    [[nodiscard]] bool has_moved_legally() const { return is_successor(position, board); }
};

/// A Call on a thread of its own.
class CallBeside {
public:
    CallBeside(Call& call, const EngineDll& dll, double seconds, int info = 0, int more_info = 0);
    ~CallBeside();
    CallBeside(const CallBeside&) = delete;
    CallBeside& operator=(const CallBeside&) = delete;

    [[nodiscard]] bool has_returned() const { return done_.load(); }
    /// Waits until the status line says something of a search: it is then under way.
    void wait_until_searching();
    /// Raises playnow.
    void interrupt();
    /// Waits for the end; the result of getmove.
    int join();

private:
    Call& call_;
    std::atomic<bool> done_{false};
    int result_ = -1;
    std::thread thread_;
};

/// An accepted reply, or a failed test: the text.
[[nodiscard]] std::string accepted(const EngineDll& dll, std::string_view command);

/// The same for a command whose reply may be to ask again in a few seconds, because databases are
/// still being opened: the last reply.
[[nodiscard]] std::string accepted_in_time(const EngineDll& dll, std::string_view command);
/// The text of a reply that must be a refusal.
[[nodiscard]] std::string refused(const EngineDll& dll, std::string_view command);

/// True when the result is a draw and the built-in endgame database can know the position.
[[nodiscard]] inline bool is_known_draw(const Position& position, int result) {
    constexpr int pieces_built_in = 5;
    return result == cb_draw && count(position.occupied()) <= pieces_built_in;
}

/// Sets an option to its old value at the end.
class Restored {
public:
    Restored(const EngineDll& dll, const std::string& option)
        : dll_(dll), option_(option), before_(accepted(dll, "get " + option)) {}
    ~Restored() { static_cast<void>(dll_.command("set " + option_ + ' ' + before_)); }
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;

private:
    const EngineDll& dll_;
    std::string option_;
    std::string before_;
};

[[nodiscard]] bool contains(std::string_view text, std::string_view part);
[[nodiscard]] bool begins_with(std::string_view text, std::string_view beginning);

/// A position with this many pieces on random squares, men and kings, without a fault.
[[nodiscard]] Position random_position(Random& random, int black, int white);

}  // namespace defiance::test
