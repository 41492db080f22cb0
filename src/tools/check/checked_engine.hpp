#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tools/match/engine_process.hpp>
#include <tools/support/cb_game.hpp>

namespace defiance {

/// What getmove is asked for, besides the position.
struct MoveOrder {
    double seconds = 0.03;
    int info = 0;
    int more_info = 0;
    std::optional<double> stop_after;    ///< seconds after which playnow is raised
    std::optional<std::string> history;  ///< instead of the game's own `set gamehist`
};

/// An engine that is checked. It lives in a process of its own; when that has crashed or hung, the
/// next call finds the engine in a fresh one.
class CheckedEngine {
public:
    CheckedEngine(std::vector<std::string> command, std::string folder)
        : command_(std::move(command)), folder_(std::move(folder)) {}

    /// Loads the engine and asks it for what the checks depend on. Error: it cannot be loaded.
    [[nodiscard]] std::optional<Error> learn();

    [[nodiscard]] int bits() const { return bits_; }
    [[nodiscard]] bool has_is_legal() const { return has_is_legal_; }
    [[nodiscard]] bool has_movelist() const { return has_movelist_; }
    /// True when CheckerBoard knows the rules by itself.
    [[nodiscard]] bool plays_english() const;
    /// The rules of the game it plays; null when that is none of those known here.
    [[nodiscard]] const GameRules* rules() const { return rules_; }

    // Errors: the process ended, or there was no answer in time; the process is gone then.
    [[nodiscard]] Result<EngineReply> command(std::string_view text);
    [[nodiscard]] Result<EngineProcess::Moved> move(const CbGame& game, const MoveOrder& order);
    [[nodiscard]] Result<int> is_legal(const CbBoard& board, int color, int from, int to);
    /// The CBmove of the last getmove or islegal.
    [[nodiscard]] Result<CBmove> last_move();

    /// The two halves of move(); commands may be sent between them.
    [[nodiscard]] std::optional<Error> begin_move(const CbGame& game, const MoveOrder& order);
    [[nodiscard]] Result<EngineProcess::Moved> end_move(const MoveOrder& order);

private:
    [[nodiscard]] std::optional<Error> start();
    /// Drops the process and returns the error, which tells what the engine was doing.
    [[nodiscard]] Error give_up(std::string_view doing, const std::string& problem);

    std::vector<std::string> command_;
    std::string folder_;
    std::optional<EngineProcess> engine_;
    int bits_ = 0;
    bool has_is_legal_ = false;
    bool has_movelist_ = false;
    const GameRules* rules_ = nullptr;
};

}  // namespace defiance
