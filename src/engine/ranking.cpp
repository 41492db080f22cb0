#include <defiance/engine/ranking.hpp>

#include <defiance/rules/game.hpp>

namespace defiance {
namespace {

constexpr int ranking_depth = 3;

/// Keeps the order of the moves after the last iteration.
class RankingMonitor : public SearchObserver {
public:
    void report(const SearchReport& report) override {
        moves_.clear();
        for (const RootMove& m : report.moves)
            moves_.push_back(m.move);
    }

    [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }

private:
    std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> ranked_moves(const GameCore& core, const Position& position) {
    TranspositionTable table(1);
    const std::unique_ptr<GameSearch> search = core.make_search(table);
    SearchLimits limits;
    limits.depth = ranking_depth;
    limits.all_scores = true;
    RankingMonitor monitor;
    static_cast<void>(
        search->run(Game(core.rules, position).reversible_history(), limits, monitor));
    return monitor.moves();
}

}  // namespace defiance
