#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/match/competition.hpp>
#include <tools/match/engine_log.hpp>
#include <tools/match/player.hpp>
#include <tools/match/player_spec.hpp>
#include <tools/match/referee.hpp>

namespace defiance {

/// The players of a competition as one worker has them: each is made when it is first needed, and
/// kept from game to game. Serves one thread.
class PlayerPool {
public:
    /// All must outlive it. The players print into the log, wait no longer once `is_over`, and put
    /// back what they have changed of `former_options`.
    PlayerPool(const CompetitionSettings& settings, EngineLog& log,
               const std::atomic<bool>& is_over, FormerOptions& former_options)
        : settings_(settings),
          log_(log),
          is_over_(is_over),
          former_options_(former_options),
          players_(settings.players.size()) {}

    /// The names of all players, no two alike. Starts those that can tell their own. Error: one
    /// cannot be started, unless that only loses its games.
    [[nodiscard]] Result<std::vector<std::string>> learn_names();

    /// Makes the player if it is not there, and has it begin the game of this number, which is 0
    /// before the first. A random player is made anew, with a seed of its own for each game. Error:
    /// it cannot be started.
    [[nodiscard]] std::optional<Error> ready(std::size_t player, const CbGame& game,
                                             std::size_t number);
    /// The player that is ready, with its share of the time.
    [[nodiscard]] Contestant contestant(std::size_t player);
    /// Ends the game of a player, if it has been made.
    void end_game(std::size_t player);

private:
    [[nodiscard]] Result<std::unique_ptr<Player>> make(const PlayerSpec& spec,
                                                       std::size_t player) const;

    const CompetitionSettings& settings_;
    EngineLog& log_;
    const std::atomic<bool>& is_over_;
    FormerOptions& former_options_;
    std::vector<std::unique_ptr<Player>> players_;
};

}  // namespace defiance
