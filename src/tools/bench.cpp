#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>
#include <defiance/search/search.hpp>
#include <tools/bench/shots.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t bench_mebibytes = 16;

/// What a game's bench searches: positions from opening to ending, each to its depth.
struct BenchPosition {
    std::string_view fen;
    int depth;
};

// Positions of the engine's games against itself.
constexpr std::array english_positions = std::to_array<BenchPosition>({
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

constexpr std::array italian_positions = std::to_array<BenchPosition>({
    {"W:W21-32:B1-12", 13},
    {"B:WK6,17,20,21,22,30:B1,3,5,9,25,28", 9},
    {"W:W8,9,K12,17,20,K27,K28:B4,K11,K13,14,K19,21,24", 9},
    {"W:WK3,K15,K16,22,K24,25:B1,2,9,K10,K11,12,K18,19,K20,K30", 9},
});

constexpr std::array spanish_positions = std::to_array<BenchPosition>({
    {"W:W1-12:B21-32", 13},
    {"B:WK1,K5,K6,K13,K21,K27,K28,K29:BK22,K23,K25", 9},
    {"W:WK1,4,5,K9,15,16,K18,20,22:BK2,K8,11,K12,K21,23,K27,28,K29,32", 9},
    {"B:W3,K4,K11,K13,K14,15,K21,K22,24,28:BK1,9,K12,20", 9},
});

constexpr std::array russian_positions = std::to_array<BenchPosition>({
    {"W:W21-32:B1-12", 13},
    {"B:WK10,K18,K19,K26,27:B1,2,7,K14,20,22,23", 9},
    {"W:WK4,14,K25,30,K32:B7,K9,10,K11,12,K17,K18,19,27,K28", 9},
    {"W:WK2,K5,K9,19,K26,31:BK7,8,15,K16,21,K22,K25,K27", 9},
});

constexpr std::array brazilian_positions = std::to_array<BenchPosition>({
    {"W:W21-32:B1-12", 13},
    {"B:WK1,K5,6,8,K14,K15,23,K26,27:B2,3,K13,K17", 9},
    {"W:WK2,K9,K13,15,28,29,32:B5,K6,7,K8,14,K16,20,23,24,K31", 9},
    {"W:WK7,K8,15,21:BK1,K3,K5,K9,10,K18,K19,26,K27,28", 9},
});

constexpr std::array czech_positions = std::to_array<BenchPosition>({
    {"W:W1-12:B21-32", 13},
    {"B:WK9,K10,K11,K12,K19,K22,K26,K27:BK1,K6,K24", 9},
    {"W:WK2,13,K16,17,24:BK4,K6,8,9,10,K12,K18,19,23,26", 9},
    {"W:WK2,10,K12,13,15,K17,21,K23,K32:BK1,K6,K9,11,14,16,19,K20,K22,26,K28", 9},
});

std::span<const BenchPosition> positions_of(const GameRules& rules) {
    switch (rules.game_type) {
        case English::game_type:
            return english_positions;
        case Italian::game_type:
            return italian_positions;
        case Spanish::game_type:
            return spanish_positions;
        case Russian::game_type:
            return russian_positions;
        case Brazilian::game_type:
            return brazilian_positions;
        case Czech::game_type:
            return czech_positions;
        default:
            return {};
    }
}

/// Notes the nodes at the end of each iteration.
class IterationNodes : public SearchObserver {
public:
    void report(const SearchReport& report) override {
        nodes_.resize(static_cast<std::size_t>(report.depth));
        nodes_.back() = static_cast<double>(report.nodes);
    }

    /// By how much each of the last iterations was larger than the one before, on the average.
    [[nodiscard]] double branching_factor() const {
        constexpr std::size_t iterations = 4;
        if (nodes_.size() <= iterations) return 1;
        return std::pow(nodes_.back() / nodes_[nodes_.size() - 1 - iterations],
                        1.0 / static_cast<double>(iterations));
    }

private:
    std::vector<double> nodes_;
};

ExitCode bench_shots(const GameCore& core, const Arguments& arguments) {
    if (arguments.has("threads")) return fail("bench: --shots takes one thread");
    ShotLimits limits;
    limits.seconds = arguments.decimal("time").value_or(limits.seconds);
    if (const auto nodes = arguments.integer("nodes"))
        limits.nodes = static_cast<std::uint64_t>(*nodes);
    limits.solve = arguments.has("solve");
    measure_shots(core, limits);
    return exit_done;
}

ExitCode bench(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    if (arguments.has("shots")) return bench_shots(**core, arguments);
    for (const std::string_view name : {"time", "nodes", "solve"})
        if (arguments.has(name)) return fail("bench: --" + std::string(name) + " is for --shots");
    if (positions_of((*core)->rules).empty()) return fail("bench: there are no positions for it");
    const auto threads = static_cast<int>(arguments.integer("threads").value_or(1));
    std::uint64_t nodes = 0;
    std::uint64_t cutoffs = 0;
    std::uint64_t first_move_cutoffs = 0;
    double logarithms = 0;
    const Stopwatch stopwatch;
    for (const BenchPosition& entry : positions_of((*core)->rules)) {
        DEFIANCE_ASSERT(entry.depth >= 1 && entry.depth <= max_depth);
        const Result<Position> position = read_position((*core)->rules, entry.fen);
        if (!position) return fail("bench: " + position.error());
        TranspositionTable table(bench_mebibytes);
        const auto search = (*core)->make_search(table);
        SearchLimits limits;
        limits.depth = entry.depth;
        limits.threads = threads;
        IterationNodes observer;
        const SearchResult result = search->run({&*position, 1}, limits, observer);
        DEFIANCE_ASSERT(result.nodes != 0);
        nodes += result.nodes;
        cutoffs += result.cutoffs;
        first_move_cutoffs += result.first_move_cutoffs;
        logarithms += std::log(observer.branching_factor());
        print_note(std::string(entry.fen) + " nodes " + std::to_string(result.nodes));
    }
    const double seconds = stopwatch.seconds();
    const auto positions = static_cast<double>(positions_of((*core)->rules).size());
    print_line("branching factor " + fixed(std::exp(logarithms / positions), 2));
    print_line("cut-offs by the first move " +
               fixed(100 * static_cast<double>(first_move_cutoffs) /
                         static_cast<double>(std::max<std::uint64_t>(cutoffs, 1)),
                     1) +
               " %");
    print_line("nodes " + std::to_string(nodes));
    print_line("nps " + fixed(static_cast<double>(nodes) / seconds, 0));
    return exit_done;
}

constexpr Option bench_options[] = {
    integer_option("threads", 1, max_search_threads),
    flag_option("shots"),
    decimal_option("time", 3600),
    integer_option("nodes", 1, INT64_MAX),
    flag_option("solve"),
};

}  // namespace

const Verb bench_verb = {
    "bench",
    "[--game G] [--threads T] | --shots [--time S] [--nodes N] [--solve]",
    "searches a fixed list of positions and counts",
    R"('nodes' is the same for every build and machine with one thread, which is used when --threads is
left out: it tells whether the search is the same.
'nps' is the speed in nodes a second; a node is one move made. The branching factor is that
of the last four iterations. The cut-offs are those without a capture.
--shots searches positions in which one move wins, or two, and a short search does not see it, for
two seconds each or for those of --time, or up to N nodes. A line for each says after how many
nodes the move was found for good, and the last one how many were found, and the geometric mean
of those nodes. --solve: without pruning, as the engine option of that name.)",
    {bench_options, "", 0, 0},
    bench};

}  // namespace defiance
