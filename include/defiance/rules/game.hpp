#pragma once

#include <cstddef>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// Whether the generator gives this move in the position.
[[nodiscard]] bool is_legal(const GameRules& rules, const Position& position, const Move& move);

/// The state of a game by its rules; adjudication and resignation are not part of it.
enum class GameState {
    open,        ///< the side to move has a move and no draw is due
    lost,        ///< the side to move has no legal move
    repetition,  ///< drawn: the position occurred for the third time
                 ///< (GameRules::repetitions_to_draw)
    no_progress  ///< drawn: too many plies without progress (rules/draws.hpp)
};

/// A game: the positions since the last irreversible move, which is all that the draw rules look
/// at. Older positions are dropped, so its size is bounded by the longest run of king moves.
class Game {
public:
    Game(const GameRules& rules, const Position& start)
        : rules_(&rules), reversible_history_{start} {}

    [[nodiscard]] const GameRules& rules() const { return *rules_; }

    [[nodiscard]] const Position& position() const { return reversible_history_.back(); }

    /// The positions since the last capture or move of a man, oldest first, the present one last.
    [[nodiscard]] const std::vector<Position>& reversible_history() const {
        return reversible_history_;
    }

    /// Plies of king moves without capture up to now.
    [[nodiscard]] std::size_t reversible_plies() const { return reversible_history_.size() - 1; }

    /// True when the legal move leads into a position that the game has had since its last
    /// irreversible move. A book or database, which knows positions and no games, may name such a
    /// move again and again, until a game is drawn that is won.
    [[nodiscard]] bool would_repeat(const Move& move) const;

    /// How often the present position has occurred, itself included.
    [[nodiscard]] int occurrences() const;

    [[nodiscard]] GameState state() const;

    /// Plays a legal move of the present position.
    void play(const Move& move);

private:
    const GameRules* rules_;
    std::vector<Position> reversible_history_;
};

}  // namespace defiance
