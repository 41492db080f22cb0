#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {
namespace {

std::string text_of(const std::optional<EgdbResult>& result) {
    if (!result) return "UNKNOWN";
    DEFIANCE_ASSERT(!result->dtw || *result->dtw >= 0);
    const std::string plies =
        result->dtw ? " plies " + std::to_string(*result->dtw) : std::string();
    switch (result->wld) {
        case Wld::win:
            return "WIN" + plies;
        case Wld::loss:
            return "LOSS" + plies;
        default:
            return "DRAW";
    }
}

template <class Rules>
ExitCode probe(const Arguments& arguments) {
    constexpr std::size_t max_positions = 1 << 20;
    const Result<Position> position = position_of(rules_of<Rules>, arguments);
    if (!position) return fail("egdb probe: " + position.error());
    EndgameSettings settings;
    settings.folder = folder_given(arguments);
    const Endgames<Rules> endgames(settings);
    const auto result = endgames.resolve(*position, max_positions);
    for (const std::string& line : endgames.report())
        print_note(line);
    print_line(text_of(result));
    return exit_done;
}

}  // namespace

ExitCode probe_endgames(const Arguments& arguments) {
    if (!arguments.has("fen")) return fail("egdb probe: --fen is missing");
    if (const auto error = find_missing_folder(arguments))
        return fail("egdb probe: " + error->text);
    return with_rules(arguments, [&]<class Rules>() { return probe<Rules>(arguments); });
}

}  // namespace defiance
