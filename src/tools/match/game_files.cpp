#include <tools/match/game_files.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <defiance/base/text.hpp>
#include <tools/match/unfinished_game.hpp>
#include <tools/support/same_file.hpp>

namespace defiance {

std::optional<Error> find_shared_file(const CompetitionSettings& settings) {
    const std::string lock = settings.state_file.empty() ? "" : settings.state_file + ".lock";
    const std::array<std::pair<std::string_view, std::string>, 4> files = {
        std::pair{"--pdn", settings.pdn_file},
        {"--resume", settings.state_file},
        {"the lock of --resume", lock},
        {"--engine-log", settings.log_file}};
    for (std::size_t i = 0; i < files.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            const auto& [first, first_file] = files[k];
            const auto& [second, second_file] = files[i];
            if (first_file.empty() || second_file.empty()) continue;
            if (is_same_file(first_file, second_file))
                return Error{std::string(first) + " and " + std::string(second) +
                             " are the same file, '" + shown(first_file, 200) + "'"};
        }
    return std::nullopt;
}

Result<GameFiles> GameFiles::open(const CompetitionSettings& settings) {
    GameFiles files;
    files.has_state_ = !settings.state_file.empty();
    if (files.has_state_) {
        const Result<std::uint64_t> pdn_bytes = PdnFile::size_of(settings.pdn_file);
        if (!pdn_bytes) return Error{"--pdn: " + pdn_bytes.error()};
        Result<Journal> journal = Journal::open(settings.state_file, settings.summary, *pdn_bytes);
        if (!journal) return Error{"--resume: " + journal.error()};
        files.journal_ = *std::move(journal);
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
