#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {
namespace {

/// Positions that the databases keep, of all materials in turn.
template <class Rules>
std::vector<Position> known_positions(const Endgames<Rules>& endgames, std::size_t wanted) {
    constexpr int max_pieces = 5;
    std::vector<SliceIndex> slices;
    for (int pieces = 2; pieces <= max_pieces; ++pieces)
        for (const Material& material : materials_of(pieces))
            if (endgames.keeps(material)) slices.emplace_back(material);
    std::vector<Position> positions;
    Random random(1);
    for (std::size_t i = 0; positions.size() < wanted; ++i) {
        if (slices.empty()) break;
        const SliceIndex& slice = slices[i % slices.size()];
        DEFIANCE_ASSERT(slice.size() != 0);
        const Position p = slice.at(random.next() % slice.size());
        if (is_quiet<Rules>(p)) positions.push_back(p);
    }
    return positions;
}

template <class Rules>
ExitCode measure(const Arguments& arguments) {
    constexpr std::size_t different = 200'000;
    constexpr int rounds = 20;
    EndgameSettings settings;
    settings.folder = folder_given(arguments);
    const Stopwatch opening;
    const Endgames<Rules> endgames(settings);
    const double opened = opening.seconds();
    const std::vector<Position> positions = known_positions(endgames, different);
    DEFIANCE_ASSERT(positions.size() <= different);
    std::uint64_t sum = 0;
    const auto ask_all = [&] {
        const Stopwatch stopwatch;
        for (const Position& p : positions)
            if (const auto result = endgames.probe(p))
                sum += static_cast<std::uint64_t>(result->wld) + 1;
        return stopwatch.seconds();
    };
    const double unpacking = ask_all();
    double in_memory = 0;
    for (int i = 0; i < rounds; ++i)
        in_memory += ask_all();
    const auto all = static_cast<double>(positions.size());
    print_line("open " + fixed(1000 * opened, 2) + " ms");
    print_line("unpacking " + fixed(1000 * unpacking, 0) + " ms for " +
               std::to_string(positions.size()) + " positions all over");
    print_line("probes " + fixed(rounds * all / in_memory / 1e6, 2) + " M/s (sum " +
               std::to_string(sum) + ")");
    return exit_done;
}

}  // namespace

ExitCode measure_endgames(const Arguments& arguments) {
    return with_rules(arguments, [&]<class Rules>() { return measure<Rules>(arguments); });
}

}  // namespace defiance
