#pragma once

#include <cstddef>
#include <vector>

#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// Where a game stands by the rules alone.
enum class GameState {
    open,        ///< the side to move has a move and no draw is due
    lost,        ///< the side to move has no legal move
    repetition,  ///< drawn: the position occurred for the third time (Rules::repetitions_to_draw)
    no_progress  ///< drawn: too many plies without progress (rules/draws.hpp)
};

/// A game: the positions since the last move that cannot be taken back, which is all the draw rules
/// look at. Older positions are dropped, so the size is bounded by the longest run of king moves.
template <class Rules>
class Game {
public:
    explicit Game(const Position& start) : reversible_history_{start} {}

    [[nodiscard]] const Position& position() const { return reversible_history_.back(); }

    /// The positions since the last capture or move of a man, oldest first, the present one last.
    [[nodiscard]] const std::vector<Position>& reversible_history() const {
        return reversible_history_;
    }

    /// Plies of king moves without capture up to now.
    [[nodiscard]] std::size_t reversible_plies() const { return reversible_history_.size() - 1; }

    /// How often the present position has occurred, itself included.
    [[nodiscard]] int occurrences() const;

    [[nodiscard]] GameState state() const;

    /// Plays a legal move of the present position.
    void play(const Move& move);

private:
    std::vector<Position> reversible_history_;
};

}  // namespace defiance
