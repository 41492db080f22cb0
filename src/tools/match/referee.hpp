#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tools/match/clock.hpp>
#include <tools/match/player.hpp>

namespace defiance {

/// Ends games whose outcome the players agree on, by the values in their status lines.
struct ValueAgreement {
    double value = 0;       ///< absolute value: at most this (draw), at least this (win)
    int moves = 0;          ///< for so many moves of each player in a row
    std::size_t after = 0;  ///< not before so many plies
};

/// Which claims of engines end a game at once.
enum class BelievedClaims {
    none,
    draws,  ///< as CheckerBoard without early game adjudication
    all     ///< wins and losses too
};

/// When a referee ends a game although there are moves left.
struct Adjudication {
    int draw_repetitions = 3;     ///< D1; 0: never
    int draw_quiet = 80;          ///< D2, plies; CheckerBoard counts 79; 0: never
    std::size_t max_plies = 300;  ///< D3
    std::optional<ValueAgreement> draw;
    std::optional<ValueAgreement> resign;
    BelievedClaims claims = BelievedClaims::none;
};

/// What a player did in a game, or in several, in the moves that it was asked for. A mean is a sum
/// here divided by the number of moves that follows it.
struct PlayerFigures {
    std::int64_t moves = 0;
    double seconds = 0;   ///< in all moves
    double longest = 0;   ///< seconds of the longest move
    double overhead = 0;  ///< seconds between the player and the referee, in all measured moves
    std::int64_t measured_moves = 0;
    double sum_of_depths = 0;  ///< of the last depth told in each move
    std::int64_t moves_with_depth = 0;
    double sum_of_speeds = 0;  ///< of the nodes a second told in each move
    std::int64_t moves_with_speed = 0;
    double overrun = 0;  ///< most seconds by which a move took longer than it was given

    void add(const PlayerFigures& other);
};

/// How a game went.
struct GameRecord {
    int first_halves = 1;  ///< half points of the player that has the first side: 0, 1 or 2
    Ending ending = Ending::aborted;
    std::string detail;  ///< what exactly ended it, when there is more to say
    std::size_t plies = 0;
    PlayerFigures first;
    PlayerFigures second;
    std::uint64_t moves_hash = 0;  ///< of the start and the moves; 0: not known
    /// Value, depth and time of each move, for PDN; without the time where nobody was asked.
    std::vector<std::string> comments;
};

/// `1-0`, `0-1`, `1/2-1/2` or `*`, the first side before the other.
[[nodiscard]] std::string_view result_of(const GameRecord& record);

/// A player and its share of the time.
struct Contestant {
    Player& player;
    double time_factor = 1;
};

/// Lets two players play the game to its end. begin_game must have been called for both.
[[nodiscard]] GameRecord referee_game(CbGame& game, Contestant first, Contestant second,
                                      const TimeSettings& time, const Adjudication& adjudication);

}  // namespace defiance
