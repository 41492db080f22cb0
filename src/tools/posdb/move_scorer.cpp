#include <tools/posdb/move_scorer.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/search.hpp>
#include <defiance/search/table.hpp>

namespace defiance {
namespace {

/// The most replies without a choice that are played after a move.
constexpr int max_forced_replies = 32;

/// Enough for a search of so much effort, and not so much that it leaves the processor's cache.
std::uint64_t table_bytes(const ScoringEffort& effort) {
    constexpr double nodes_a_second = 2e6;
    const double nodes =
        std::min(static_cast<double>(effort.nodes), effort.seconds * nodes_a_second);
    constexpr std::uint64_t least = std::uint64_t{1} << 20;
    constexpr std::uint64_t most = std::uint64_t{64} << 20;
    constexpr std::uint64_t bytes_of_node = 16;
    std::uint64_t bytes = least;
    while (bytes < most && static_cast<double>(bytes / bytes_of_node) < nodes)
        bytes *= 2;
    return bytes;
}

/// Stops a search when its time is up or it is told to.
class ScoringObserver : public SearchObserver {
public:
    ScoringObserver(double seconds, const std::function<bool()>& must_stop)
        : seconds_(seconds), must_stop_(must_stop) {}

    bool must_stop(std::uint64_t /*nodes*/) override {
        is_stopped_ = is_stopped_ || (must_stop_ && must_stop_());
        return is_stopped_ || stopwatch_.seconds() >= seconds_;
    }
    bool may_go_deeper(const SearchReport& report) override {
        // A deeper search cannot improve what is proven.
        return !is_final(report.score, report.depth);
    }
    [[nodiscard]] bool is_stopped() const { return is_stopped_; }

private:
    const double seconds_;
    const std::function<bool()>& must_stop_;
    Stopwatch stopwatch_;
    bool is_stopped_ = false;
};

/// What is known of a position, for the side to move there.
struct Verdict {
    DatabaseScore score = 0;
    int depth = 0;
    ScoreSource source = ScoreSource::search;
};

Verdict verdict_of(const SearchResult& found) {
    if (is_proven(found.score))
        return {database_score(found.score), found.depth, ScoreSource::final};
    if (found.egdb) return {database_score(*found.egdb), found.depth, ScoreSource::database};
    return {database_score(found.score), found.depth, ScoreSource::search};
}

class SearchScorer final : public MoveScorer {
public:
    SearchScorer(const GameCore& core, const EndgameDatabases* endgames,
                 const ScoringEffort& effort, TranspositionTable table)
        : rules_(core.rules),
          effort_(effort),
          table_(std::move(table)),
          search_(core.make_search(table_)) {
        limits_.nodes = effort.nodes;
        search_->use(endgames);
    }

    std::optional<std::vector<KnownMove>> score(const Position& position,
                                                const std::function<bool()>& must_stop) override {
        // The search tries moves in another order on the board turned round.
        const std::vector<CanonicalMove> moves =
            canonical_moves(rules_, with_black_to_move(position));
        DEFIANCE_ASSERT(moves.size() <= MoveList::capacity);
        std::vector<KnownMove> known;
        const Stopwatch stopwatch;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const double left = effort_.position_seconds - stopwatch.seconds();
            const double part = left / static_cast<double>(moves.size() - i);
            const auto verdict = judge(moves[i].after, std::min(effort_.seconds, part), must_stop);
            if (!verdict) return std::nullopt;
            KnownMove move;
            move.index = static_cast<std::uint8_t>(i);
            move.score = static_cast<std::int16_t>(score_of_move(verdict->score));
            move.depth = static_cast<std::uint8_t>(std::min(verdict->depth, 255));
            move.source = verdict->source;
            known.push_back(move);
        }
        return known;
    }

private:
    /// What the position after a move is worth for the opponent; nothing when it was told to stop.
    std::optional<Verdict> judge(Position position, double seconds,
                                 const std::function<bool()>& must_stop) {
        int replies = 0;
        MoveList list;
        for (;; ++replies) {
            list.clear();
            rules_.generate_moves(position, list);
            if (list.size() != 1 || replies == max_forced_replies) break;
            position = rules_.after(position, list[0]);
        }
        Verdict verdict = {-proven_score, 0, ScoreSource::final};
        if (!list.empty()) {
            ScoringObserver observer(seconds, must_stop);
            const std::array<Position, 1> history = {position};
            const SearchResult found = search_->run(history, limits_, observer);
            if (observer.is_stopped()) return std::nullopt;
            verdict = verdict_of(found);
        }
        for (int i = 0; i < replies; ++i)
            verdict.score = score_of_move(verdict.score);
        verdict.depth += replies;
        return verdict;
    }

    const GameRules& rules_;
    const ScoringEffort effort_;
    TranspositionTable table_;
    std::unique_ptr<GameSearch> search_;
    SearchLimits limits_;
};

}  // namespace

Result<std::unique_ptr<MoveScorer>> MoveScorer::make(const GameCore& core,
                                                     const EndgameDatabases* endgames,
                                                     const ScoringEffort& effort) {
    TranspositionTable table = TranspositionTable::for_one_search(table_bytes(effort));
    if (!table) return Error{"there is too little memory for a search"};
    return std::unique_ptr<MoveScorer>(
        std::make_unique<SearchScorer>(core, endgames, effort, std::move(table)));
}

}  // namespace defiance
