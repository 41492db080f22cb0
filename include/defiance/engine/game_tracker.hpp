#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/engine/time.hpp>
#include <defiance/rules/game.hpp>

namespace defiance {

/// Parses a game: a FEN, then legal moves separated by white space. Any length is accepted, in time
/// proportional to it. Error: what is wrong.
[[nodiscard]] Result<Game> parse_history(const GameRules& rules, std::string_view text);

/// The game that an engine plays: the history sent by the GUI, and the engine's own moves as long
/// as the positions it gets follow each other. Older GUIs send no history, and not every new game
/// is announced. Both sides are tracked separately, because one engine may play both; what is known
/// of the game by the moves of one counts for the other.
class GameTracker {
public:
    explicit GameTracker(const GameRules& rules)
        : rules_(&rules), last_game_(rules, rules.start_position()) {}

    /// Sets the game up to the next position. Nothing: clears it.
    void set_history(std::optional<Game> game);

    /// The next position begins a game, or one in which nobody knows what was played before: the
    /// moves known so far lead to none that is asked about later. A history that was set counts all
    /// the same.
    void begin_game() { own_ = {}; }

    /// The game up to the last position set or asked about, as set_history() was told or
    /// begin_move() returned it; at first the start position.
    [[nodiscard]] const Game& last_game() const { return last_game_; }

    /// The game as it stands on the board: last_game(), with the move that was played there.
    [[nodiscard]] Game present_game() const;

    /// The engine must move here. Returns the game to search: the history that was set if it ends
    /// here, which is used once, or else the moves that are known to lead here. Those of the side
    /// do when the position follows its last move by one legal move of the opponent, or is the same
    /// as when it was asked last. Those of the other side do when they end here, or one legal move
    /// before: it was asked for a move, and the user has played that one or another. Clears what is
    /// known of the side where its own moves do not lead here.
    [[nodiscard]] Game begin_move(const Position& position);

    /// The unused time of the side in this game. Of searches of the same position one after the
    /// other only the last one counts.
    [[nodiscard]] const TimeCredit& credit(Side side) const { return own(side).credit; }

    /// The move that was asked for in `position` was given so many seconds and has taken so many,
    /// see TimeCredit::spend(). Nothing happens when the side has been asked for a move in another
    /// position meanwhile.
    void spend_time(const Position& position, double given, double used);

    /// The engine plays `move` in `position`, for which begin_move() was called last for that side.
    /// `is_known_draw`: a database proves that the position is drawn. Returns known_draws() of that
    /// side, or 0 when it has been asked for a move in another position meanwhile.
    int end_move(const Position& position, const Move& move, bool is_known_draw);

    /// The GUI plays the move that end_move() was told. Nothing happens when another position has
    /// been set or asked about meanwhile.
    void note_played(const Position& position, const Move& move);

    /// Consecutive own moves of the side in positions that a database proves drawn, without a
    /// capture or a man's move between them, up to its last move.
    [[nodiscard]] int known_draws(Side side) const { return own(side).known_draws; }

private:
    struct OwnMoves {
        std::optional<Position> asked;    // last position given to begin_move()
        std::optional<Position> left;     // position after the own move
        std::optional<Game> game_at_ask;  // what is known of the game up to `asked`, by moves
        std::optional<Game> game;         // the same up to `left`
        bool was_reversible = false;      // neither that move nor the reply made progress
        bool is_asked_again = false;
        int known_draws = 0;
        int known_draws_before = 0;  // of the moves before the one that is asked for
        TimeCredit credit;
        TimeCredit credit_before;  // what it was before the move that is asked for
    };

    [[nodiscard]] std::optional<Game> continued_game(Side side, const Position& position) const;
    void set_last_game(const Game& game);
    void follow(OwnMoves& mine, const Position& position) const;
    [[nodiscard]] OwnMoves& own(Side side) { return own_[static_cast<std::size_t>(side)]; }
    [[nodiscard]] const OwnMoves& own(Side side) const {
        return own_[static_cast<std::size_t>(side)];
    }

    const GameRules* rules_;
    std::optional<Game> history_;
    Game last_game_;
    std::optional<Move> last_played_;  // in its position
    std::array<OwnMoves, 2> own_;
    std::optional<Side> last_asked_;
};

}  // namespace defiance
