#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <defiance/base/result.hpp>
#include <tools/match/clock.hpp>
#include <tools/match/engine_process.hpp>
#include <tools/match/loader_programs.hpp>
#include <tools/match/player_spec.hpp>
#include <tools/support/cb_game.hpp>

namespace defiance {

/// By which rule a game ended. L: the side to move has lost, D: a draw.
enum class Ending : std::uint8_t {
    no_move,         ///< L1: it has no legal move
    illegal_move,    ///< L2: what it answered is no legal move
    gone,            ///< L3: it ended, crashed or closed its output
    too_late,        ///< L4: it used more than its time
    unasked_output,  ///< L5: it wrote when it was not asked
    too_large,       ///< L6: it held more memory than allowed
    repetition,      ///< D1: the position occurred for the third time
    no_progress,     ///< D2: too many moves of kings without capture
    too_long,        ///< D3: the game was longer than allowed
    law,             ///< D4: by the law of this game
    adjudicated,     ///< D5: by both players' values, or a claim that is accepted
    aborted          ///< no result
};

/// The rule's code, as in `reason=L1`.
[[nodiscard]] std::string_view code_of(Ending ending);
/// In words, for people.
[[nodiscard]] std::string_view describe(Ending ending);
[[nodiscard]] std::optional<Ending> parse_ending(std::string_view code);

/// The outcome of a player's turn.
struct Turn {
    std::optional<Ending> fault;        ///< why it lost, or `aborted`; nothing when it has moved
    std::string detail;                 ///< what exactly was wrong
    double seconds = 0;                 ///< from asking to the last byte of the answer
    std::optional<double> own_seconds;  ///< what it used itself, where that is measured
    std::string status;                 ///< status line
    int claim = cb_unknown;             ///< cb_draw, cb_win or cb_loss when it claims so
};

/// A turn that has this fault.
[[nodiscard]] Turn faulty_turn(Ending fault, std::string detail);

/// The rules for the output and the memory of all players of a competition.
struct OutputPolicy {
    bool takes_short = false;      ///< --accept-short: moves may leave squares out
    bool tolerates_blank = false;  ///< --tolerate-blank: empty lines do not count
    bool is_strict = true;         ///< --strict-output: a line too many loses at once
    std::uint64_t memory = 0;      ///< --mem-limit in bytes; 0: none
    double startup = 10;           ///< --startup: seconds to start in
};

/// One side of games. Serves one thread.
class Player {
public:
    virtual ~Player() = default;

    /// Prepares for a game from this position; starts the process where that is needed. Error: it
    /// cannot be started.
    virtual std::optional<Error> begin_game(const CbGame& game) = 0;
    /// Asks it for a move, which is played in the game unless the turn has a fault.
    virtual Turn take_turn(CbGame& game, const Allowance& allowance) = 0;
    virtual void end_game() = 0;
    /// What it calls itself; empty when it does not say. Only after a game has begun.
    [[nodiscard]] virtual std::string own_name() const = 0;
    /// CheckerBoard's number of the game it plays; nothing when it plays any, or does not say.
    [[nodiscard]] virtual std::optional<int> game_type() const = 0;
};

/// What players share with others of their competition.
struct PlayerContext {
    const LoaderPrograms& programs;
    const OutputPolicy& policy;
    LineSink printed;                       ///< takes what the player prints besides its answers
    const std::atomic<bool>& is_abandoned;  ///< ends its waiting early; must outlive it
};

/// Makes the player that the specification describes. Error: a file that is not there, or that no
/// program here can load.
[[nodiscard]] Result<std::unique_ptr<Player>> make_player(const PlayerSpec& spec,
                                                          const GameRules& rules,
                                                          const PlayerContext& context);

}  // namespace defiance
