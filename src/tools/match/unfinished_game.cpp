#include <tools/match/unfinished_game.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/pdn.hpp>

namespace defiance {
namespace {

/// The tags that each game of a competition begins with, in the order of to_pdn(), each on a line.
constexpr std::array<std::string_view, 6> first_tags = {"Event", "Round",  "Black",
                                                        "White", "Result", "GameType"};

/// The values of those tags whose lines are whole. Nothing when no game of a competition begins
/// with this text.
std::optional<std::vector<std::string_view>> values_of_first_tags(std::string_view text) {
    constexpr std::string_view ending = "\"]";
    std::vector<std::string_view> values;
    for (const std::string_view name : first_tags) {
        const std::string beginning = '[' + std::string(name) + " \"";
        const std::size_t line_end = text.find('\n');
        const std::string_view line = text.substr(0, line_end);
        if (line.substr(0, beginning.size()) != beginning.substr(0, line.size()))
            return std::nullopt;
        // No value that is written has a quotation mark, so this can only be its end.
        const std::size_t value_end = line.find(ending, beginning.size());
        const bool is_closed = value_end != std::string_view::npos;
        if (is_closed && value_end + ending.size() != line.size()) return std::nullopt;
        if (line_end == std::string_view::npos) return values;
        if (!is_closed) return std::nullopt;
        values.push_back(line.substr(beginning.size(), value_end - beginning.size()));
        text.remove_prefix(line_end + 1);
    }
    return values;
}

}  // namespace

bool is_unfinished_game(std::string_view text, const CompetitionSettings& settings,
                        const std::vector<std::string>& names,
                        const std::map<std::size_t, JournalEntry>& finished) {
    DEFIANCE_ASSERT(settings.rules != nullptr && !settings.openings.empty());
    // After a power failure Windows may have zeros where the last bytes would be.
    while (text.ends_with('\0'))
        text.remove_suffix(1);
    if (trimmed(text).empty()) return true;
    // PdnFile::add() ends the last line of others with the first game.
    if (text.front() == '\n') text.remove_prefix(1);
    const auto values = values_of_first_tags(text);
    if (!values) return false;
    const std::size_t known = values->size();
    if (known < 2) return true;
    const auto number = parse_integer((*values)[1], 1, INT32_MAX);
    if (!number || finished.count(static_cast<std::size_t>(*number)) != 0) return false;
    const auto is_event = [&](const Opening& opening) {
        return pdn_tag_value(event_of(settings, static_cast<std::size_t>(*number), opening)) ==
               values->front();
    };
    if (std::none_of(settings.openings.begin(), settings.openings.end(), is_event)) return false;
    const auto is_player = [&](std::string_view value) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return pdn_tag_value(name) == value; });
    };
    // With --recover a player that does not start now may have told another name before.
    for (std::size_t tag = 2; tag < 4 && tag < known && !settings.recovers; ++tag)
        if (!is_player((*values)[tag])) return false;
    return known < first_tags.size() || values->back() == settings.rules->pdn_game_type;
}

}  // namespace defiance
