#include <string>

#include <defiance/egdb/endgames.hpp>
#include <defiance/tools/egdb/tasks.hpp>
#include <defiance/tools/games.hpp>

namespace defiance {
namespace {

std::string text_of(const std::optional<Verdict>& verdict) {
    if (!verdict) return "UNKNOWN";
    const std::string plies =
        verdict->plies ? " plies " + std::to_string(*verdict->plies) : std::string();
    switch (verdict->value) {
        case Value::win:
            return "WIN" + plies;
        case Value::loss:
            return "LOSS" + plies;
        default:
            return "DRAW";
    }
}

template <class Rules>
ExitCode probe(const Arguments& arguments) {
    constexpr std::size_t most_positions = 1 << 20;
    const Result<Position> position = position_of<Rules>(arguments);
    if (!position) return fail("egdb probe: " + position.error());
    EndgameSettings settings;
    settings.folder = folder_given(arguments);
    const Endgames<Rules> endgames(settings);
    const auto verdict = endgames.resolve(*position, most_positions);
    for (const std::string& line : endgames.report())
        print_note(line);
    print_line(text_of(verdict));
    return exit_done;
}

}  // namespace

ExitCode probe_endgames(const Arguments& arguments) {
    if (!arguments.has("fen")) return fail("egdb probe: --fen is missing");
    return with_rules(arguments, [&]<class Rules>() { return probe<Rules>(arguments); });
}

}  // namespace defiance
