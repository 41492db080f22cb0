#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tools/match/player.hpp>
#include <tools/match/player_spec.hpp>
#include <tools/match/referee.hpp>
#include <tools/match/schedule.hpp>
#include <tools/posdb/remote_database.hpp>
#include <tools/support/openings.hpp>
#include <tools/support/report.hpp>
#include <tools/support/statistics.hpp>

namespace defiance {

/// Everything that decides how a competition goes.
struct CompetitionSettings {
    const GameRules* rules = nullptr;  ///< of the game that is played
    std::vector<PlayerSpec> players;
    ScheduleSettings schedule;
    std::vector<Opening> openings;  ///< in the order in which pairs of games use them; none empty
    std::string openings_file;      ///< that they were read from; empty: they are built in
    TimeSettings time;
    Adjudication adjudication;
    OutputPolicy policy;
    LoaderPrograms programs;
    std::optional<SequentialTest> test;  ///< of a match: it ends when this is decided
    bool recovers = false;  ///< --recover: a player that does not start loses, and all goes on
    int concurrency = 1;    ///< games at a time
    std::string pdn_file;   ///< empty: none
    std::string state_file;
    std::string log_file;  ///< for what the players print besides their answers; empty: none
    std::optional<RemoteDatabaseOptions> database;  ///< --cdb: asked before engines are
    std::string event;
    /// One line that says what is played, by whom, and in which file it is kept, for the state
    /// file; without the number of games of a match that may become longer.
    std::string summary;
    /// Where states of older builds have ` --games N` in that line, for such a match.
    std::optional<std::size_t> games_place;
};

/// What the tag Event of a game says: --event, or else the game's number, from 1, and its opening.
[[nodiscard]] std::string event_of(const CompetitionSettings& settings, std::size_t number,
                                   const Opening& opening);

/// Plays all games, writes a line `RESULT ...` for each to standard output and the progress to
/// standard error, and at the end what came out. Ctrl-C ends it early; with a state
/// file the same command continues it.
///
/// Returns exit_done when all was played or the test was decided, exit_no after Ctrl-C, and
/// exit_wrong_input when a player cannot be started or a file cannot be used.
[[nodiscard]] ExitCode run_competition(const CompetitionSettings& settings);

}  // namespace defiance
