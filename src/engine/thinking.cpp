#include <algorithm>

#include <defiance/base/system.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {
namespace {

/// Carries the search's reports to the host and the host's and the clock's wishes to the search.
class TimedSearchObserver : public SearchObserver {
public:
    TimedSearchObserver(const TimeControl& control, bool all_scores, EngineObserver& host)
        : time_(control), all_scores_(all_scores), host_(host) {}

    bool must_stop(std::uint64_t nodes) override {
        const double now = time_.elapsed();
        if (now >= next_show_ && shown_.depth > 0) {
            shown_.nodes = nodes;
            show(now);
        }
        return host_.interrupted() || time_.time_is_up();
    }

    bool may_go_deeper(const SearchReport& report) override {
        const Score loss = last_score_ - report.score;
        last_score_ = report.score;
        if (host_.interrupted()) return false;
        // Nothing is left to find once the end of the game is in sight; who waits waits elsewhere.
        if (is_proven(report.score) && plies_to_end(report.score) <= report.depth && !all_scores_)
            return false;
        return time_.may_go_deeper(report.depth == 1 ? 0 : loss);
    }

    void report(const SearchReport& report) override {
        shown_.depth = report.depth;
        shown_.score = report.score;
        shown_.nodes = report.nodes;
        shown_.line.assign(report.line.begin(), report.line.end());
        if (all_scores_) shown_.moves.assign(report.moves.begin(), report.moves.end());
        const double now = time_.elapsed();
        shown_.seconds = now;
        if (now >= next_show_) show(now);
    }

    /// Waits until the moment the host expects the move, if it expects it at a moment.
    void wait() {
        if (!time_.must_wait()) return;
        // A timer may be late by a tick of 16 ms, so the last stretch is spent without sleeping.
        constexpr double sleepless = 0.02;
        while (!host_.interrupted() && !time_.time_is_up())
            sleep_milliseconds(time_.left() > sleepless ? 1 : 0);
    }

    SearchInfo finish(const SearchResult& result) {
        shown_.depth = std::max(shown_.depth, result.depth);
        shown_.score = result.score;
        shown_.nodes = result.nodes;
        shown_.line = result.line;
        show(time_.elapsed());
        return shown_;
    }

private:
    void show(double now) {
        constexpr double interval = 0.1;
        shown_.seconds = now;
        host_.show(shown_);
        next_show_ = now + interval;
    }

    TimeKeeper time_;
    bool all_scores_;
    EngineObserver& host_;
    SearchInfo shown_;
    double next_show_ = 0;
    Score last_score_ = 0;
};

/// True when a win that a database knows, but not how soon, is safe from the draw rules: the plain
/// law leaves time enough for any; how much others need nobody has counted.
bool known_win_is_safe(const GameRules& rules, std::span<const Position> history) {
    constexpr std::size_t few = 8;
    return rules.draw_law == DrawLaw::plain && history.size() <= few;
}

Claim claim_of(const Game& game, const SearchLimits& limits, const SearchResult& result) {
    if (!result.move) return Claim::loss;
    if (const auto& verdict = result.verdict; verdict && limits.only.empty()) {
        if (verdict->wld == Wld::draw) return Claim::draw;
        if (!verdict->dtw && known_win_is_safe(game.rules(), game.reversible_history()))
            return verdict->wld == Wld::win ? Claim::win : Claim::loss;
    }
    if (!win_is_certain(game.rules(), game.reversible_history(), result.score)) return Claim::none;
    if (is_win(result.score)) return Claim::win;
    // A move that was not looked at might not lose.
    return limits.only.empty() ? Claim::loss : Claim::none;
}

}  // namespace

EngineResult think_with(GameSearch& search, const Game& game, const SearchLimits& limits,
                        const TimeControl& control, EngineObserver& host) {
    TimedSearchObserver watch(control, limits.all_scores, host);
    const SearchResult result = search.run(game.reversible_history(), limits, watch);
    EngineResult thought{result.move, claim_of(game, limits, result), watch.finish(result)};
    if (thought.move) watch.wait();
    return thought;
}

}  // namespace defiance
