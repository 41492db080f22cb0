#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/search/search.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr double seconds_of_a_move = 0.1;
constexpr std::uint32_t hash_mebibytes = 64;

// Of 6 to 10 pieces: published problems, then positions of the engine's games against itself.
constexpr std::array cost_positions = std::to_array<std::string_view>({
    "W:W13,5,K2:BK14,10,1",
    "B:WK9,23,26,27,30:B13,14,16,18,19",
    "B:W26,23,K4:B24,K20,1",
    "B:W26,23,K4:B24,K20,2",
    "B:W26,23,K4:B24,K20,3",
    "W:WK30,22,16,K2:B21,14,13,K10",
    "B:W26,23,21,20,19:B12,11,10,9,3",
    "B:W26,25,21,20,16:B14,8,7,5,3",
    "W:W9,20,21,30:B1,3,14,19",
    "W:WK2,10,20,21:B1,3,K18,K19",
    "W:W14,K15,K18,26:BK5,7,17,24",
    "W:WK11,K25,32:BK14,18,K19",
    "W:W31,23,20,19,K2:BK30,13,12,11,8",
    "B:W31,23,20,19,K2:BK30,13,12,8,7",
    "B:W28,24,21,20,K2:BK27,19,15,11,7",
    "W:W22,21,12,K7:BK23,13,9,5",
    "B:W10,K11,15:B3,K18,K19",
    "W:W24,31,32:B16,18,23",
    "W:W12,18,21,22,25:B2,4,K26,K30",
    "W:WK4,9,K13,27,32:B3,5,K10,28",
    "B:W6,10,K1,K3:B4,5,K24,K27",
    "B:W27,28,K7,K15,K16:B20,21,K17,K22,K26",
    "B:W20,29,K1,K10:B3,22,24,K30",
    "B:W10,20,30,K2:B3,19,22,K32",
    "B:W22,29,K14:B24,K19,K30",
    "B:WK11,K14,K22:B5,K19,K32",
    "B:W28,K6,K9:BK3,K19,K26",
    "B:W9,11,30,K3:B4,13,K27,K32",
    "B:W28,K1,K2,K3:B12,K10,K18,K19,K22",
    "B:WK6,K9,K11:B12,22,K28,K30",
    "B:WK12,K14,K15:B4,K23,K24",
    "B:W13,28,K7,K10,K11:B5,20,26,K19,K22",
    "B:W20,21,29,K4,K6:B5,12,22,27,K30",
    "B:W5,25,29,K7:B12,18,22,K23",
});

/// Stops after the time of a move, and keeps when each depth was reached.
class MoveTime : public SearchObserver {
public:
    bool must_stop(std::uint64_t) override { return stopwatch_.seconds() >= seconds_of_a_move; }
    /// Asked after each depth.
    bool may_go_deeper(const SearchReport&) override {
        seconds_to_depth_.push_back(stopwatch_.seconds());
        return true;
    }

    [[nodiscard]] const std::vector<double>& seconds_to_depth() const { return seconds_to_depth_; }

private:
    Stopwatch stopwatch_;
    std::vector<double> seconds_to_depth_;  // of depth 1 first
};

struct SearchCost {
    int depth = 0;
    double nodes_per_second = 0;
    std::vector<double> seconds_to_depth;
};

/// The time to the greatest depth that both reach: of `on` as a multiple of that of `off`. Nothing
/// when one of them reaches none, as with databases that a disk is slow to give.
std::optional<double> relative_time(const SearchCost& on, const SearchCost& off) {
    const std::size_t depth = std::min(on.seconds_to_depth.size(), off.seconds_to_depth.size());
    if (depth == 0) return std::nullopt;
    DEFIANCE_ASSERT(off.seconds_to_depth[depth - 1] > 0);
    return on.seconds_to_depth[depth - 1] / off.seconds_to_depth[depth - 1];
}

/// Searches the position with a table that was touched before and databases nobody has asked yet.
SearchCost cost_of(const GameCore& core, const Position& position, const std::string& folder,
                   bool with_databases) {
    TranspositionTable table(hash_mebibytes);
    table.clear();
    EndgameSettings settings;
    settings.folder = folder;
    const auto endgames = core.open_endgames(settings);
    const auto search = core.make_search(table);
    search->use(with_databases ? endgames.get() : nullptr);
    MoveTime observer;
    const Stopwatch stopwatch;
    const SearchResult result = search->run({&position, 1}, {}, observer);
    return {result.depth, static_cast<double>(result.nodes) / stopwatch.seconds(),
            observer.seconds_to_depth()};
}

}  // namespace

ExitCode measure_search_cost(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail("egdb cost: " + core.error());
    if (const auto error = find_missing_folder(arguments)) return fail("egdb cost: " + error->text);
    if ((*core)->rules.game_type != English::game_type)
        return fail("egdb cost: its positions are English");
    int as_deep = 0;
    int compared = 0;  // to the same depth
    double sum_of_shares = 0;
    double sum_of_logarithms = 0;
    catch_interrupts();
    for (const std::string_view fen : cost_positions) {
        if (is_interrupted()) return exit_no;
        const Result<Position> position = read_position((*core)->rules, fen);
        if (!position) return fail("egdb cost: " + position.error());
        const SearchCost off = cost_of(**core, *position, folder_given(arguments), false);
        const SearchCost on = cost_of(**core, *position, folder_given(arguments), true);
        DEFIANCE_ASSERT(off.nodes_per_second > 0);
        const double share = on.nodes_per_second / off.nodes_per_second;
        as_deep += on.depth >= off.depth ? 1 : 0;
        sum_of_shares += share;
        const std::optional<double> time = relative_time(on, off);
        if (time) {
            ++compared;
            sum_of_logarithms += std::log(*time);
        }
        print_note(std::string(fen) + " depth " + std::to_string(off.depth) +
                   " and with databases " + std::to_string(on.depth) + ", " +
                   fixed(100 * share, 0) + " % of the nodes a second, " +
                   (time ? fixed(*time, 2) + " times the time to the same depth"
                         : "which was not reached"));
    }
    constexpr auto all = static_cast<double>(cost_positions.size());
    print_line("with databases as deep or deeper in " + std::to_string(as_deep) + " of " +
               std::to_string(cost_positions.size()) + " positions, " +
               fixed(100 * sum_of_shares / all, 0) + " % of the nodes a second on average, " +
               (compared == 0 ? "none to the same depth"
                              : fixed(std::exp(sum_of_logarithms / compared), 2) +
                                    " times the time to the same depth (geometric mean)"));
    return exit_done;
}

}  // namespace defiance
