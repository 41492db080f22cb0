#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/game.hpp>
#include <tools/book/book_experience.hpp>

namespace defiance {

/// How practice lines are played.
struct PracticeSettings {
    /// The opponent searches each move for half to twice as many nodes, so that he does not always
    /// play the same; the learner beyond the book for twice as many, the end of a line for four
    /// times.
    std::uint64_t nodes = 100'000;
    int plies = 30;  ///< of a line, from its root
};

/// Plays practice lines for one thread: the learner by what he knows, the opponent as an engine
/// without a book.
class PracticePlayer {
public:
    /// All must outlive this. Error: there is too little memory.
    static Result<std::unique_ptr<PracticePlayer>> make(const GameCore& core,
                                                        const EndgameDatabases& endgames,
                                                        const PracticeSettings& settings);

    /// Plays a line from a position in which nobody has won yet. It depends on the arguments and
    /// the settings only. Nothing when `must_stop` said so.
    [[nodiscard]] std::optional<PracticeLine> play(const BookExperience& experience,
                                                   const Position& root, Side learner,
                                                   std::uint64_t seed,
                                                   const std::function<bool()>& must_stop);

private:
    class StopObserver;

    /// The search of one side, which remembers what it searched in this line.
    struct Thinker {
        Thinker(const GameCore& core, const EndgameDatabases& endgames);

        TranspositionTable table;
        std::unique_ptr<GameSearch> search;
    };

    PracticePlayer(const GameCore& core, const EndgameDatabases& endgames,
                   const PracticeSettings& settings);

    [[nodiscard]] SearchResult think(Thinker& thinker, const Game& game, std::uint64_t nodes,
                                     StopObserver& observer, std::vector<Move> only = {});
    [[nodiscard]] PracticeMove choose(const BookExperience& experience, const Game& game,
                                      Random& random, StopObserver& observer);
    [[nodiscard]] Move reply(const BookExperience& experience, const Game& game, Random& random,
                             StopObserver& observer);
    [[nodiscard]] int value_for(Side learner, const Game& game, StopObserver& observer);

    const GameRules& rules_;
    const PracticeSettings settings_;
    Thinker learner_;
    Thinker opponent_;
};

}  // namespace defiance
