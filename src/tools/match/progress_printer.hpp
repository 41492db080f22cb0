#pragma once

#include <cstddef>
#include <string_view>

#include <defiance/base/clock.hpp>
#include <tools/match/referee.hpp>
#include <tools/match/scoreboard.hpp>

namespace defiance {

/// Tells of the games of a competition while they are played. The time left is computed from the
/// time since the construction. Not thread-safe.
class ProgressPrinter {
public:
    /// Writes the line `RESULT ...` of a game to standard output. `place` is where its PDN stands.
    /// False when nobody reads that any more or it cannot be written.
    [[nodiscard]] static bool print_result(const Scoreboard& board, const ScheduledGame& game,
                                           const GameRecord& record, std::string_view place);
    /// The same for a game that cannot be played, with which all ends.
    static void print_abort();

    /// To be called after each game: writes to standard error how it stands, at most once a second
    /// and for the last game of a round. So many games are scheduled until now, and so many of them
    /// are left.
    void show(const Scoreboard& board, std::size_t scheduled, std::size_t left);

private:
    Stopwatch stopwatch_;
    double next_ = 0;
    std::size_t played_ = 0;
};

}  // namespace defiance
