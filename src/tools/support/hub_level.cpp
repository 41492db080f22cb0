#include <tools/support/hub_level.hpp>

#include <algorithm>
#include <string_view>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/search/score.hpp>

namespace defiance {
namespace {

constexpr double longest_hub_seconds = 1e7;
constexpr double short_hub_seconds = 0.1;
constexpr std::int64_t most_moves_of_clock = 10'000;

/// For a number of moves until more time is given; the last of them leaves a reserve.
TimeControl control_for_moves(double seconds, std::int64_t moves) {
    DEFIANCE_ASSERT(seconds >= 0 && moves >= 1);
    return {.mode = TimeMode::average, .seconds = seconds / static_cast<double>(moves + 2)};
}

}  // namespace

bool read_hub_level(const HubLine& line, HubLevel& level) {
    bool is_good = true;
    const auto seconds = [&](std::string_view name) -> std::optional<double> {
        if (!line.has(name)) return std::nullopt;
        const auto number = parse_hub_number(line.value(name).value_or(""), longest_hub_seconds);
        is_good = is_good && number;
        return number;
    };
    const auto integer = [&](std::string_view name, std::int64_t most) {
        if (!line.has(name)) return std::optional<std::int64_t>();
        const auto number = parse_integer(line.value(name).value_or(""), 1, most);
        is_good = is_good && number;
        return number;
    };
    if (const auto depth = integer("depth", INT64_MAX))
        level.depth = static_cast<int>(std::min<std::int64_t>(*depth, max_depth));
    if (const auto nodes = integer("nodes", INT64_MAX))
        level.nodes = static_cast<std::uint64_t>(*nodes);
    const auto moves = integer("moves", most_moves_of_clock);
    const auto time = seconds("time");
    const double increment = std::max(0.0, seconds("inc").value_or(0));
    // The clock does not contain the increment yet.
    const double available = std::max(0.0, time.value_or(0) + increment);
    if (time && moves)
        level.time = control_for_moves(available, *moves);
    else if (time || increment > 0)
        level.time = {.mode = TimeMode::increment, .remaining = available, .increment = increment};
    if (const auto most = seconds("move-time"))
        level.time = {.mode = TimeMode::deadline, .seconds = std::max(0.0, *most)};
    if (line.has("infinite")) level.time = {.mode = TimeMode::infinite};
    if (!is_good) make_short(level);
    return is_good;
}

void make_short(HubLevel& level) {
    if (!level.time) level.time = {.mode = TimeMode::deadline, .seconds = short_hub_seconds};
}

}  // namespace defiance
