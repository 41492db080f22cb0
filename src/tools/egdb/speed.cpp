#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {
namespace {

/// Quiet positions that the databases keep, each about as often as there are of its material.
template <class Rules>
std::vector<Position> known_positions(const Endgames<Rules>& endgames, std::size_t wanted) {
    std::vector<SliceIndex> slices;
    std::vector<std::uint64_t> ends;
    std::uint64_t all = 0;
    for (int pieces = 2; pieces <= std::min(endgames.pieces(), SliceIndex::max_pieces); ++pieces)
        for (const Material& material : materials_of(pieces)) {
            if (!endgames.keeps(material)) continue;
            slices.emplace_back(material);
            all += slices.back().size();
            ends.push_back(all);
        }
    std::vector<Position> positions;
    Random random(1);
    while (all != 0 && positions.size() < wanted) {
        const std::uint64_t number = random.below(all);
        const auto i =
            static_cast<std::size_t>(std::ranges::upper_bound(ends, number) - ends.begin());
        const Position p = slices[i].at(number - (ends[i] - slices[i].size()));
        if (is_quiet<Rules>(p)) positions.push_back(p);
    }
    return positions;
}

/// How long each probe takes, in nanoseconds, without the time that reading the clock takes.
template <class Rules>
std::vector<double> times_of_probes(const Endgames<Rules>& endgames,
                                    const std::vector<Position>& positions, std::uint64_t& sum) {
    const auto seconds_of = [](auto task) {
        const Stopwatch stopwatch;
        task();
        return stopwatch.seconds();
    };
    double clock = 1;
    for (int i = 0; i < 1000; ++i)
        clock = std::min(clock, seconds_of([] {}));
    std::vector<double> times;
    for (const Position& p : positions)
        times.push_back(1e9 * (seconds_of([&] {
                                   if (const auto result = endgames.probe(p))
                                       sum += static_cast<std::uint64_t>(result->wld) + 1;
                               }) -
                               clock));
    return times;
}

/// Empties the processor's caches of what the databases have left there.
void use_caches_for_something_else() {
    std::vector<std::uint64_t> memory((256 << 20) / sizeof(std::uint64_t));
    for (std::size_t i = 0; i < memory.size(); ++i)
        memory[i] = i;
    DEFIANCE_ASSERT(memory[memory.size() / 2] == memory.size() / 2);
}

/// Asks for each position for the first time. What only happens once, because the system gave the
/// processor to somebody else, is told apart by asking for all of them twice more: databases
/// without a memory of their own take as long then.
template <class Rules>
void measure_first_probes(const Endgames<Rules>& endgames, const std::vector<Position>& positions) {
    std::uint64_t sum = 0;
    std::vector<double> times = times_of_probes(endgames, positions, sum);
    std::vector<double> shortest = times;
    for (int pass = 0; pass < 2; ++pass) {
        use_caches_for_something_else();
        const std::vector<double> again = times_of_probes(endgames, positions, sum);
        for (std::size_t i = 0; i < shortest.size(); ++i)
            shortest[i] = std::min(shortest[i], again[i]);
    }
    std::ranges::sort(times);
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    print_line("first probes of " + std::to_string(times.size()) + " positions: median " +
               fixed(at(0.5), 0) + " ns, 99.9 % " + fixed(at(0.999) / 1000, 2) + " us, longest " +
               fixed(at(1) / 1000, 1) + " us, longest in each of three passes " +
               fixed(std::ranges::max(shortest) / 1000, 1) + " us (sum " + std::to_string(sum) +
               ")");
}

/// Millions of probes a second, of several threads together. Each begins at another place of the
/// list, as threads of a search are at different positions: two that read the same bytes at the
/// same moment wait for each other's caches.
template <class Rules>
double probes_of_threads(const Endgames<Rules>& endgames, std::span<const Position> positions,
                         int threads) {
    constexpr int rounds = 20;
    const Stopwatch stopwatch;
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(threads));
    parallel_for(static_cast<std::uint64_t>(threads), 1, threads,
                 [&](std::uint64_t number, std::uint64_t, int) {
                     const auto thread = static_cast<std::size_t>(number);
                     const std::size_t first = thread * positions.size() / sums.size();
                     std::uint64_t own_sum = 0;
                     const auto probe_all = [&](std::span<const Position> part) {
                         for (const Position& p : part)
                             if (const auto result = endgames.probe(p))
                                 own_sum += static_cast<std::uint64_t>(result->wld) + 1;
                     };
                     for (int i = 0; i < rounds; ++i) {
                         probe_all(positions.subspan(first));
                         probe_all(positions.first(first));
                     }
                     sums[thread] = own_sum;
                 });
    DEFIANCE_ASSERT(std::ranges::count(sums, sums[0]) == threads);
    const auto probes = static_cast<double>(positions.size()) * rounds * threads;
    return probes / stopwatch.seconds() / 1e6;
}

template <class Rules>
ExitCode measure(const Arguments& arguments) {
    constexpr int default_positions = 1'000'000;
    constexpr std::size_t few = 200'000;
    constexpr int pairs = 9;
    const auto different =
        static_cast<std::size_t>(arguments.integer("positions").value_or(default_positions));
    EndgameSettings settings;
    settings.folder = folder_given(arguments);
    settings.built_in = settings.folder.empty();
    catch_interrupts();
    const Stopwatch opening;
    const Endgames<Rules> endgames(settings);
    print_line("open " + fixed(1000 * opening.seconds(), 2) + " ms");
    const std::vector<Position> positions = known_positions(endgames, different);
    if (positions.empty()) return fail("egdb speed: there is no database of ours");
    measure_first_probes(endgames, positions);
    const auto repeated = std::span(positions).first(std::min(few, positions.size()));
    std::vector<double> rates;
    std::vector<double> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
        if (is_interrupted()) return exit_no;
        rates.push_back(probes_of_threads(endgames, repeated, 1));
        ratios.push_back(probes_of_threads(endgames, repeated, 2) / rates.back());
    }
    std::ranges::sort(rates);
    std::ranges::sort(ratios);
    print_line("probes " + fixed(rates[pairs / 2], 2) + " M/s a thread, two threads " +
               fixed(ratios[pairs / 2], 2) + " times that (medians of " + std::to_string(pairs) +
               ", " + fixed(ratios.front(), 2) + " to " + fixed(ratios.back(), 2) + ")");
    return exit_done;
}

}  // namespace

ExitCode measure_endgames(const Arguments& arguments) {
    if (const auto error = find_missing_folder(arguments))
        return fail("egdb speed: " + error->text);
    return with_rules(arguments, [&]<class Rules>() { return measure<Rules>(arguments); });
}

}  // namespace defiance
