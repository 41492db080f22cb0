#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/game.hpp>
#include <tools/training/course.hpp>
#include <tools/training/selfplay_file.hpp>

namespace defiance {

/// Where games begin: the start position, the 11-man ballots and, where there are any, three-move
/// openings.
struct SelfplayOpenings {
    std::vector<Position> ballots;
    std::vector<Position> three_move;  ///< English only
};
[[nodiscard]] SelfplayOpenings selfplay_openings(const GameRules& rules);

/// Plays the games of one thread. A game depends on the settings and its number only.
class SelfplayPlayer {
public:
    /// All must outlive this. Error: there is too little memory.
    static Result<std::unique_ptr<SelfplayPlayer>> make(const GameCore& core,
                                                        const EndgameDatabases& endgames,
                                                        const SelfplayOpenings& openings,
                                                        const SelfplaySettings& settings);

    /// Plays the game with this number, which must be below max_selfplay_games.
    [[nodiscard]] SelfplayGame play(std::uint64_t number);

private:
    SelfplayPlayer(const GameCore& core, const EndgameDatabases& endgames,
                   const SelfplayOpenings& openings, const SelfplaySettings& settings);

    /// A game at a place where it is played on from, with the search of it.
    struct Beginning {
        Game game;
        int plies;
        SearchResult search;
    };

    [[nodiscard]] Beginning begin(Random& random);
    [[nodiscard]] std::optional<Beginning> draw_opening(Random& random);
    [[nodiscard]] SearchResult search(const Game& game);

    const GameRules& rules_;
    const SelfplayOpenings& openings_;
    SearchLimits limits_;
    std::uint64_t seed_;
    TranspositionTable table_;
    std::unique_ptr<GameSearch> search_;
    SearchObserver observer_;
};

/// A number that tells apart programs which play other games of the same settings, because their
/// search or evaluation differs: made from a few games with no endgame databases but those of this
/// folder.
[[nodiscard]] std::uint32_t play_fingerprint(const GameCore& core,
                                             const std::string& egdb_folder = {});

}  // namespace defiance
