#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/search/parameters.hpp>
#include <tools/tuning/tuning_games.hpp>

namespace defiance {

/// The games of one iteration, which has this many at most: enough to keep a machine busy, whose
/// number of threads may not change what comes out.
inline constexpr std::uint64_t games_of_tuning_step = 16;

/// A tuning as the user asks for it.
struct TuningOrder {
    TuningGameSettings game;
    std::uint64_t games = games_of_tuning_step;      ///< an even number
    std::vector<const SearchParameter*> parameters;  ///< in the order of the table
    std::string program;                             ///< tells apart programs that play otherwise
    std::string file;                                ///< keeps the state
    int threads = 1;
};

/// Who follows a tuning.
class TuningMonitor {
public:
    virtual ~TuningMonitor() = default;
    virtual void print(const std::string& line) = 0;  ///< what has come out
    virtual void note(const std::string& line) = 0;   ///< how far it is; one thread at a time
    /// Asked before each move, from any thread: true ends the tuning.
    [[nodiscard]] virtual bool is_stopped() = 0;
};

/// Tunes parameters of the search by SPSA over pairs of games, from where an interrupted tuning of
/// the same order has stopped; the number of threads may differ. The file gets the state after each
/// iteration. At the end, also when there is nothing left to do, prints each parameter with its
/// default and what it was tuned to, and the player of a match that has these values.
///
/// True when all games are played, false when `is_stopped` has said so before. Error: the file
/// cannot be read or written, or is of another order or of something else; too little memory.
[[nodiscard]] Result<bool> run_tuning(const TuningOrder& order, const EndgameSettings& databases,
                                      TuningMonitor& monitor);

}  // namespace defiance
