#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/engine/time.hpp>
#include <defiance/rules/game.hpp>

namespace defiance {

/// Reads a game's recent history: a FEN, then moves separated by white space, each legal in its
/// position. Any length is accepted; the time taken is in proportion to it. Error: what is wrong.
[[nodiscard]] Result<Game> parse_history(const GameRules& rules, std::string_view text);

/// What an engine knows of the game it plays: the history that the GUI tells, and its own moves as
/// far as the positions it is asked about follow each other. Older GUIs tell no history, and none
/// tells when a new game begins.
///
/// Keeps the two sides apart, since one engine may play both.
class GameTracker {
public:
    explicit GameTracker(const GameRules& rules) : rules_(&rules) {}

    /// Takes what the GUI says about the moves up to the next position. Nothing: forget it.
    void set_history(std::optional<Game> game);

    /// The position heard of last; nothing before the first.
    [[nodiscard]] const std::optional<Position>& last_position() const { return last_position_; }

    /// The engine is asked for a move here. The game to search: with the history that was set if it
    /// leads here, which is used once. Forgets the side's own moves unless the position comes from
    /// the last of them by one legal move of the other side, or is the one asked about last again.
    [[nodiscard]] Game begin_move(const Position& position);

    /// What the side to move has saved of its average time in this game, to be used and updated.
    [[nodiscard]] TimeCredit& credit(Side side) { return own(side).credit; }

    /// The engine plays `move`, which is legal in `position`, the one begun last of its side.
    /// `is_known_draw`: an endgame database says so of the position.
    void end_move(const Position& position, const Move& move, bool is_known_draw);

    /// Own moves of the side in a row in positions that a database calls drawn, with no capture and
    /// no move of a man between them; the last move ended counts.
    [[nodiscard]] int known_draws(Side side) const { return own(side).known_draws; }

private:
    struct OwnMoves {
        std::optional<Position> asked;  // the last question
        std::optional<Position> left;   // the position after the answer
        bool was_reversible = false;    // neither that answer nor the reply to it made progress
        bool is_asked_again = false;
        int known_draws = 0;
        int known_draws_before = 0;  // of the moves before the last
        TimeCredit credit;
    };

    [[nodiscard]] OwnMoves& own(Side side) { return own_[static_cast<std::size_t>(side)]; }
    [[nodiscard]] const OwnMoves& own(Side side) const {
        return own_[static_cast<std::size_t>(side)];
    }

    const GameRules* rules_;
    std::optional<Game> history_;
    std::optional<Position> last_position_;
    std::array<OwnMoves, 2> own_;
};

}  // namespace defiance
