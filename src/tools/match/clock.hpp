#pragma once

#include <optional>

namespace defiance {

/// How much time the players of a match have.
struct TimeSettings {
    enum class Kind {
        average,    ///< `seconds` a move on the average, as in CheckerBoard's engine match: what is
                    ///< saved or overspent counts for the next moves
        exact,      ///< `seconds` for every move and no more
        increment,  ///< `seconds` for the game, or for every `moves` moves, and `increment` more
                    ///< with every move
        unlimited   ///< the players know by themselves when to move
    };

    Kind kind = Kind::average;
    double seconds = 0.1;
    double increment = 0;
    int moves = 0;  ///< after so many moves `seconds` come again; 0: never
    /// Seconds after which any move is lost; nothing: 60, or five times the seconds a move, if that
    /// is more. On a clock for the game there is no such limit unless it is given.
    std::optional<double> move_limit;
    double margin = 0.05;  ///< seconds by which a limit may be overstepped
    double startup = 10;   ///< seconds more for the first move of a game
};

/// What a player may use for one move.
struct Allowance {
    double seconds = 0;  ///< maxtime of getmove
    int info = 0;        ///< bits of getmove for exact time and clocks with increment
    int more_info = 0;
    double limit = 0;   ///< seconds after which the move is lost, the margin included
    double margin = 0;  ///< this long before the limit the player is told to move
    TimeSettings::Kind kind = TimeSettings::Kind::unlimited;  ///< how the time is given
    double remaining = 0;  ///< on a clock for the game: what it shows, the increment included
    double increment = 0;  ///< on such a clock: the seconds that this move has added
    int moves_left = 0;    ///< on such a clock: moves until more time comes, this one included; 0:
                           ///< none comes
};

/// The clock of one player in one game.
class PlayerClock {
public:
    /// `factor`: this player's share of the time.
    PlayerClock(const TimeSettings& settings, double factor);

    /// For the next move. Changes the clock: the time for a move is added before it.
    [[nodiscard]] Allowance allow();

    /// Subtracts the time used for that move. False when the player has lost on time.
    [[nodiscard]] bool spend(double seconds);

private:
    [[nodiscard]] Allowance allow_bank();
    [[nodiscard]] Allowance allow_increment();
    void charge(double seconds);
    [[nodiscard]] double move_limit() const;

    TimeSettings settings_;
    double clock_ = 0;
    double limit_ = 0;
    int moves_left_ = 0;  ///< as in Allowance
    bool has_moved_ = false;
};

}  // namespace defiance
