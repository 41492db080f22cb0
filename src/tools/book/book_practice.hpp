#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/book/book_experience.hpp>
#include <tools/book/practice_player.hpp>
#include <tools/expansion/expansion_roots.hpp>

namespace defiance {

/// How a book practises.
struct BookPracticeSettings {
    PracticeSettings line;
    std::size_t rounds = 0;
    int threads = 1;
    std::string journal;  ///< a file with the lines played, so that a run goes on where it was
    std::string order;    ///< a line that says what is practised: it must not have changed
};

/// In the first rounds each side learns from so many lines that begin at the first root, which is
/// the start position, and from one at each other root. Later rounds have as many, but fewer where
/// lines end alike, as in draws, and more elsewhere.
inline constexpr std::size_t lines_of_first_root = 8;

[[nodiscard]] std::size_t practice_lines_of_round(std::size_t roots);

/// Told after some lines how many are played; false stops the run.
using PracticeMonitor = std::function<bool(std::size_t lines)>;

/// Plays rounds of practice lines. What a round teaches counts from the next one on, so the same
/// settings teach the same, whatever the number of threads and however often it was cut off.
/// `round_values` takes the mean value of the lines of each round.
///
/// True: all are played. False: it was stopped. Error: the journal cannot be used, or there is too
/// little memory.
[[nodiscard]] Result<bool> practise_book(BookExperience& experience, const GameCore& core,
                                         const EndgameDatabases& endgames,
                                         const std::vector<ExpansionRoot>& roots,
                                         const BookPracticeSettings& settings,
                                         const std::function<bool()>& must_stop,
                                         const PracticeMonitor& monitor,
                                         std::vector<double>& round_values);

}  // namespace defiance
