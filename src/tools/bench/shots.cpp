#include <tools/bench/shots.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t hash_mebibytes = 64;

/// When a search found something.
struct Finding {
    std::uint64_t nodes;
    double seconds;
    int depth;
};

/// Notes since when the best move is the one that wins, and stops when the time is up.
class ShotObserver : public SearchObserver {
public:
    ShotObserver(std::vector<Move> wanted, double seconds)
        : wanted_(std::move(wanted)), seconds_(seconds) {}

    bool must_stop(std::uint64_t) override { return stopwatch_.seconds() >= seconds_; }
    bool may_go_deeper(const SearchReport& report) override {
        return !finding_ || !is_decided(report.score);
    }
    void report(const SearchReport& report) override {
        const bool is_found =
            !report.line.empty() && report.score >= min_shot_score &&
            std::find(wanted_.begin(), wanted_.end(), report.line.front()) != wanted_.end();
        if (!is_found)
            finding_.reset();
        else if (!finding_)
            finding_ = {report.nodes, stopwatch_.seconds(), report.depth};
    }

    [[nodiscard]] const std::optional<Finding>& finding() const { return finding_; }

private:
    std::vector<Move> wanted_;
    double seconds_;
    Stopwatch stopwatch_;
    std::optional<Finding> finding_;
};

std::vector<Move> winning_moves(const GameRules& rules, const Position& position,
                                const Shot& shot) {
    std::vector<Move> moves;
    for (std::string_view rest = shot.moves; !rest.empty();) {
        const Result<Move> move = parse_move(rules, position, take_word(rest));
        DEFIANCE_ASSERT(move);
        moves.push_back(*move);
    }
    return moves;
}

std::optional<Finding> search_shot(const GameCore& core, const EndgameDatabases& endgames,
                                   const Shot& shot, const ShotLimits& limits) {
    const Result<Position> position = parse_fen(core.rules, shot.fen);
    DEFIANCE_ASSERT(position);
    TranspositionTable table(hash_mebibytes);
    const auto search = core.make_search(table);
    search->use(&endgames);
    SearchLimits search_limits;
    search_limits.nodes = limits.nodes;
    search_limits.solve = limits.solve;
    ShotObserver observer(winning_moves(core.rules, *position, shot), limits.seconds);
    (void)search->run({&*position, 1}, search_limits, observer);
    return observer.finding();
}

}  // namespace

void measure_shots(const GameCore& core, const ShotLimits& limits) {
    const std::span<const Shot> shots = shots_of(core.rules);
    const auto endgames = core.open_endgames({});
    int found = 0;
    double logarithms = 0;
    for (const Shot& shot : shots) {
        const auto finding = search_shot(core, *endgames, shot, limits);
        std::string line = std::string(shot.fen) + ' ' + std::string(shot.moves);
        if (finding) {
            ++found;
            logarithms += std::log(static_cast<double>(std::max<std::uint64_t>(finding->nodes, 1)));
            line += " found depth " + std::to_string(finding->depth) + " nodes " +
                    std::to_string(finding->nodes) + " time " + fixed(finding->seconds, 3);
        } else {
            line += " not found";
        }
        print_line(line);
    }
    print_line("shots " + std::to_string(shots.size()) + " found " + std::to_string(found) +
               " mean nodes " + fixed(found == 0 ? 0 : std::exp(logarithms / found), 0));
}

}  // namespace defiance
