#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/tuning/search_player.hpp>

namespace defiance {

/// What the games of a tuning depend on besides the parameters of their sides.
struct TuningGameSettings {
    const GameCore* core = nullptr;
    std::uint64_t nodes = 1;              ///< a move
    std::uint64_t seed = 1;               ///< of the order of the openings
    std::vector<Position> openings = {};  ///< where games begin; none: at the 11-man ballots
};

/// Two settings of the search that play a pair of games: the same opening, colours exchanged.
struct TuningPair {
    std::uint64_t number = 0;  ///< decides the opening
    SearchParameters plus;
    SearchParameters minus;
};

/// Plays pairs of games on several threads. A result depends on the settings and the pair only.
class TuningGames {
public:
    /// `is_stopped` is asked before every move, from any thread: true ends the games. Error: there
    /// is too little memory.
    static Result<std::unique_ptr<TuningGames>> make(const TuningGameSettings& settings,
                                                     const EndgameSettings& databases, int threads,
                                                     std::function<bool()> is_stopped);

    /// By how many points `plus` is ahead in each pair, from -2 to 2; nothing when it was stopped.
    /// `on_game` is called after every game, from any thread.
    [[nodiscard]] std::optional<std::vector<double>> play(const std::vector<TuningPair>& pairs,
                                                          const std::function<void()>& on_game);

private:
    struct Table {
        std::unique_ptr<SearchPlayer> plus;
        std::unique_ptr<SearchPlayer> minus;
    };

    TuningGames(const TuningGameSettings& settings, const EndgameSettings& databases,
                std::function<bool()> is_stopped);

    [[nodiscard]] std::optional<int> play_game(const TuningPair& pair, bool plus_is_first,
                                               Table& table) const;

    const GameCore& core_;
    const std::function<bool()> is_stopped_;
    std::unique_ptr<EndgameDatabases> endgames_;
    std::vector<Position> openings_;
    std::vector<Table> tables_;  // one for each thread
};

}  // namespace defiance
