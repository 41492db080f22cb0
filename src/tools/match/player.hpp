#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include <defiance/base/result.hpp>
#include <tools/match/clock.hpp>
#include <tools/match/ending.hpp>
#include <tools/match/engine_process.hpp>
#include <tools/match/former_options.hpp>
#include <tools/match/loader_programs.hpp>
#include <tools/support/cb_game.hpp>

namespace defiance {

/// The outcome of a player's turn.
struct Turn {
    std::optional<Ending> fault;        ///< why it lost, or `aborted`; nothing when it has moved
    std::string detail;                 ///< what exactly was wrong
    double seconds = 0;                 ///< from asking to the last byte of the answer
    std::optional<double> own_seconds;  ///< what it used itself, where that is measured
    std::string status;                 ///< status line
    int claim = cb_unknown;             ///< cb_draw, cb_win or cb_loss when it claims so
    bool was_asked = true;  ///< false for a move out of a position database, which is not its own
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
    /// Where it notes what it changes, to put it back; must outlive it. Null: changes stay.
    FormerOptions* former_options = nullptr;
};

}  // namespace defiance
