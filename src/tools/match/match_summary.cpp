#include <tools/match/match_summary.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// Options that change neither what is played nor where it is kept: a match can be resumed with
/// other values of them.
constexpr std::array<std::string_view, 5> free_options = {"resume", "concurrency", "host32",
                                                          "host64", "engine-log"};

/// The size of the player's engine file and a checksum of it, because another version has the same
/// name; empty for other players.
std::string mark_of_file(const PlayerSpec& player) {
    if (player.kind != PlayerSpec::Kind::library) return {};
    const Result<std::string> content = read_file(full_path(player.target));
    if (!content) return " [absent]";
    const std::uint32_t sum =
        checksum({reinterpret_cast<const std::uint8_t*>(content->data()), content->size()});
    return " [" + std::to_string(content->size()) + ' ' + std::to_string(sum) + ']';
}

/// True when more games come behind those of a smaller number, which stay as they are.
bool can_be_lengthened(const Arguments& arguments, const ScheduleSettings& schedule) {
    return is_single_pairing(schedule) && arguments.text("order") != "spread";
}

/// The given options that decide what is played and where it is kept, in an order of their own. The
/// name of the PDN is one of them: a state without games does not tell one file from another.
std::vector<std::string> lasting_options(const Arguments& arguments, bool can_be_longer) {
    std::vector<std::string> given;
    for (const auto& [name, value] : arguments.given()) {
        if (std::find(free_options.begin(), free_options.end(), name) != free_options.end())
            continue;
        if (name == "games" && can_be_longer) continue;
        given.push_back(" --" + std::string(name) + (value.empty() ? "" : " ") +
                        shown(value, 1000));
    }
    std::sort(given.begin(), given.end());
    return given;
}

}  // namespace

void set_summary(CompetitionSettings& settings, const Arguments& arguments) {
    std::string text;
    DEFIANCE_ASSERT(settings.players.size() == arguments.positionals().size());
    for (std::size_t i = 0; i < settings.players.size(); ++i)
        text += (i == 0 ? "" : " ") + shown(arguments.positionals()[i], 1000) +
                mark_of_file(settings.players[i]);
    const bool can_be_longer = can_be_lengthened(arguments, settings.schedule);
    std::size_t games_place = text.size();
    for (const std::string& option : lasting_options(arguments, can_be_longer)) {
        text += option;
        if (option < " --games") games_place = text.size();
    }
    if (can_be_longer) settings.games_place = games_place;
    std::uint64_t key = settings.openings.size();
    for (const Opening& opening : settings.openings)
        key = key * 0x9E3779B97F4A7C15U + key_of(opening.position);
    settings.summary = text + " openings " + std::to_string(key);
}

}  // namespace defiance
