#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/position.hpp>
#include <tools/posdb/known_position.hpp>

namespace defiance {

/// How long each move of a position is searched: what is reached first. Scores that are limited by
/// nodes alone are the same on every machine.
struct ScoringEffort {
    std::uint64_t nodes = 5000;
    double seconds = std::numeric_limits<double>::infinity();
    /// All moves together; each has an equal part of what those before it have left.
    double position_seconds = std::numeric_limits<double>::infinity();
};

/// Scores the moves of positions with the engine's search. One object is for one thread.
class MoveScorer {
public:
    /// `endgames` may be null; it must live as long as the object. Error: too little memory.
    static Result<std::unique_ptr<MoveScorer>> make(const GameCore& core,
                                                    const EndgameDatabases* endgames,
                                                    const ScoringEffort& effort);
    virtual ~MoveScorer() = default;

    /// A score for each legal move, by its index in canonical_moves(). Each move is played and then
    /// searched, after the replies to it as long as there is only one. `must_stop` is asked every
    /// fraction of a millisecond; when it says true the result is nothing. What was scored before
    /// has no influence, and a position and the same for the other colour have the same scores.
    [[nodiscard]] virtual std::optional<std::vector<KnownMove>> score(
        const Position& position, const std::function<bool()>& must_stop = {}) = 0;
};

}  // namespace defiance
