#include <tools/match/game_files.hpp>

#include <cstdint>
#include <utility>

#include <defiance/base/file.hpp>
#include <tools/match/unfinished_game.hpp>
#include <tools/support/same_file.hpp>

namespace defiance {
namespace {

/// Error: a match has a finished game beyond the number of games that it is to have now. In a
/// tournament and with --order spread that cannot be another number, because the summary has it.
std::optional<Error> find_games_beyond(const std::map<std::size_t, JournalEntry>& games,
                                       const ScheduleSettings& schedule) {
    if (!is_single_pairing(schedule) || games.empty()) return std::nullopt;
    const std::size_t last = games.rbegin()->first;
    if (last <= schedule.games) return std::nullopt;
    return Error{"--games: game " + std::to_string(last) + " has been played, and --games " +
                 std::to_string(schedule.games) + " is less than that"};
}

}  // namespace

std::optional<Error> find_shared_file(const CompetitionSettings& settings) {
    const std::string lock = settings.state_file.empty() ? "" : settings.state_file + ".lock";
    const NamedFile files[] = {{"--openings", settings.openings_file},
                               {"--pdn", settings.pdn_file},
                               {"--resume", settings.state_file},
                               {"the lock of --resume", lock},
                               {"--engine-log", settings.log_file}};
    return check_different(files);
}

Result<GameFiles> GameFiles::open(const CompetitionSettings& settings) {
    GameFiles files;
    files.has_state_ = !settings.state_file.empty();
    // Before a state is begun by which the file would be known.
    if (!files.has_state_ || !file_exists(settings.state_file))
        if (const auto problem = PdnFile::find_other_kind(settings.pdn_file))
            return Error{"--pdn: " + problem->text};
    if (files.has_state_) {
        const Result<std::uint64_t> pdn_bytes = PdnFile::size_of(settings.pdn_file);
        if (!pdn_bytes) return Error{"--pdn: " + pdn_bytes.error()};
        Result<Journal> journal =
            Journal::open(settings.state_file, settings.summary, *pdn_bytes, settings.games_place);
        if (!journal) return Error{"--resume: " + journal.error()};
        files.journal_ = *std::move(journal);
        if (const auto problem = find_games_beyond(files.games(), settings.schedule))
            return *problem;
    }
    Result<PdnFile> pdn = PdnFile::open(
        settings.pdn_file,
        files.is_resumed() ? std::optional(files.journal_.pdn_bytes()) : std::nullopt);
    if (!pdn) return Error{"--pdn: " + pdn.error()};
    files.pdn_ = *std::move(pdn);
    return files;
}

std::optional<Error> GameFiles::cut_unfinished_game(const CompetitionSettings& settings,
                                                    const std::vector<std::string>& names) {
    if (pdn_.rest().empty()) return std::nullopt;
    const bool is_own = is_unfinished_game(pdn_.rest(), settings, names, games());
    const std::optional<Error> problem = is_own ? pdn_.cut_rest() : pdn_.foreign_games();
    if (problem) return Error{"--pdn: " + problem->text};
    return std::nullopt;
}

bool GameFiles::add(std::size_t number, const GameRecord& record, const std::string& pdn) {
    if (!pdn_.add(pdn)) return false;
    if (!has_state_) return true;
    const std::optional<std::uint64_t> bytes = pdn_.bytes();
    return bytes && pdn_.sync() && journal_.add({number, record, *bytes});
}

}  // namespace defiance
