#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/match/competition.hpp>
#include <tools/match/journal.hpp>
#include <tools/match/pdn_file.hpp>

namespace defiance {

/// Error, with the two options, when two files of a competition are the same one: what is written
/// would destroy the other.
[[nodiscard]] std::optional<Error> find_shared_file(const CompetitionSettings& settings);

/// The files that finished games of a competition go to: the PDN, and the state by which the same
/// command goes on after an interruption. Not thread-safe.
class GameFiles {
public:
    /// Without files nothing is kept.
    GameFiles() = default;

    /// Opens the files of --pdn and --resume. Error, with the option: one cannot be used, they do
    /// not belong together, or a match has more games already than it is to have.
    static Result<GameFiles> open(const CompetitionSettings& settings);

    /// Whether the state was there already, of these games.
    [[nodiscard]] bool is_resumed() const { return journal_.is_resumed(); }
    /// Those games, by number.
    [[nodiscard]] const std::map<std::size_t, JournalEntry>& games() const {
        return journal_.entries();
    }

    /// Cuts the game off the PDN that was being written when the competition was interrupted. To
    /// be called before games are added; `names` are those of the players. Error, with the option:
    /// what lies there is not such a game, or it cannot be cut off.
    [[nodiscard]] std::optional<Error> cut_unfinished_game(const CompetitionSettings& settings,
                                                           const std::vector<std::string>& names);

    /// Writes a game; the disk has it after that when there is a state. False: it cannot be
    /// written.
    [[nodiscard]] bool add(std::size_t number, const GameRecord& record, const std::string& pdn);
    /// Where the last game stands, as PdnFile::place().
    [[nodiscard]] std::string place() const { return pdn_.place(); }

private:
    Journal journal_;
    PdnFile pdn_;
    bool has_state_ = false;
};

}  // namespace defiance
