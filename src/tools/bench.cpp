#include <array>
#include <string>
#include <string_view>

#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>
#include <defiance/search/search.hpp>
#include <defiance/tools/games.hpp>
#include <defiance/tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t bench_mebibytes = 16;

/// What a game's bench searches: positions from opening to ending, each to its depth.
struct BenchPosition {
    std::string_view fen;
    int depth;
};

template <class Rules>
inline constexpr std::array<BenchPosition, 0> bench_positions{};

// Positions of the engine's games against itself.
template <>
inline constexpr std::array bench_positions<English> = std::to_array<BenchPosition>({
    {"B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", 15},
    {"W:W21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,12,14", 14},
    {"B:W17,19,21,22,24,26,28,29,30,31,32:B1,2,3,4,5,6,8,10,11,12,16", 15},
    {"W:W18,22,24,25,27,28,29,30,31,32:B1,2,3,5,6,7,9,11,12,16", 15},
    {"B:W15,17,21,26,27,30,31,32:B2,3,5,6,8,9,12,20", 16},
    {"W:W13,19,22,27,28,30,32:B3,6,7,10,12,16,20", 16},
    {"B:WK7,18,22,26,29,31:B5,9,12,13,K24,28", 15},
    {"W:WK10,K14,21,30:B13,K19,K23,28", 15},
    {"B:WK18,K23:BK2,K6,K11", 17},
    {"W:W22,25,29,30,31:B5,9,12,13,20", 19},
});

/// Lets every search go to its depth.
class UnhurriedMonitor : public SearchMonitor {
public:
    bool must_stop(std::uint64_t) override { return false; }
    bool may_go_deeper(const SearchReport&) override { return true; }
    void report(const SearchReport&) override {}
};

template <class Rules>
ExitCode bench() {
    UnhurriedMonitor monitor;
    std::uint64_t nodes = 0;
    const Stopwatch stopwatch;
    for (const BenchPosition& entry : bench_positions<Rules>) {
        const Result<Position> position = read_position<Rules>(entry.fen);
        if (!position) return fail("bench: " + position.error());
        TranspositionTable table(bench_mebibytes);
        Search<Rules> search(table);
        SearchLimits limits;
        limits.depth = entry.depth;
        const SearchResult result = search.run({&*position, 1}, limits, monitor);
        nodes += result.nodes;
        print_note(std::string(entry.fen) + " nodes " + std::to_string(result.nodes));
    }
    const double seconds = stopwatch.seconds();
    print_line("nodes " + std::to_string(nodes));
    print_line("nps " + fixed(static_cast<double>(nodes) / seconds, 0));
    return exit_done;
}

ExitCode run_bench(const Arguments& arguments) {
    return with_rules(arguments, [&]<class Rules>() { return bench<Rules>(); });
}

}  // namespace

const Verb bench_verb = {
    "bench",
    "",
    "searches a fixed list of positions and counts",
    "'nodes' is the same for every build and machine: it tells whether the search is the same.\n"
    "'nps' is the speed in nodes a second; a node is one move made.",
    {{}, "", 0, 0},
    run_bench};

}  // namespace defiance
