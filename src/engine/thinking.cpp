#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/system.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {
namespace {

/// Stops a search when the time is up or the EngineObserver interrupts, and passes its reports on.
class TimedSearchObserver : public SearchObserver {
public:
    TimedSearchObserver(const TimeManager& time, const Stopwatch& stopwatch, bool all_scores,
                        EngineObserver& observer, HintReader* hints)
        : time_(time),
          stopwatch_(stopwatch),
          all_scores_(all_scores),
          observer_(observer),
          hints_(hints) {}

    /// Forgets what the search before has shown: a new one begins.
    void begin() {
        shown_ = {};
        is_cut_short_ = false;
        is_first_read_ = true;
        has_unsearched_hints_ = false;
    }

    const SearchHints* new_hints() override {
        const SearchHints* const news = hints_ != nullptr ? hints_->news() : nullptr;
        if (news != nullptr) choice_ = news->search_moves;
        // A search begins with what it reads first, and an iteration with what was read before it.
        has_unsearched_hints_ = has_unsearched_hints_ || (news != nullptr && !is_first_read_);
        is_first_read_ = false;
        return news;
    }

    bool must_stop(std::uint64_t nodes) override {
        const double now = stopwatch_.seconds();
        if (now >= next_show_ && shown_.depth > 0) {
            shown_.nodes = nodes;
            show(now);
        }
        const bool must = observer_.interrupted() || time_.is_up(now);
        is_cut_short_ = is_cut_short_ || must;
        return must;
    }

    bool may_go_deeper(const SearchReport& report) override {
        const IterationChange change = change_to(report);
        // A deeper search cannot improve a proven score within its depth.
        if (is_final(report.score, report.depth) && !all_scores_) return false;
        const bool may =
            !observer_.interrupted() && time_.may_go_deeper(stopwatch_.seconds(), change);
        is_cut_short_ = is_cut_short_ || !may;
        has_unsearched_hints_ = has_unsearched_hints_ && !may;
        return may;
    }

    void report(const SearchReport& report) override {
        DEFIANCE_ASSERT(report.depth >= 0 && report.depth <= max_depth);
        shown_.depth = report.depth;
        shown_.score = report.score;
        shown_.nodes = report.nodes;
        shown_.line.assign(report.line.begin(), report.line.end());
        shown_.egdb = report.egdb;
        if (all_scores_) shown_.moves.assign(report.moves.begin(), report.moves.end());
        const double now = stopwatch_.seconds();
        shown_.seconds = now;
        if (now >= next_show_) show(now);
    }

    /// Waits until the time is up if the GUI expects the move at a set time. True when hints have
    /// come meanwhile, or in the last iteration, and are to be searched with.
    [[nodiscard]] bool wait_for_hints() {
        if (!time_.must_wait()) return false;
        // A sleep may last a timer tick of 16 ms longer, so the last part is spent yielding.
        constexpr double sleepless = 0.02;
        for (;;) {
            const double now = stopwatch_.seconds();
            if (observer_.interrupted() || time_.is_up(now)) return false;
            if (hints_ != nullptr && has_unsearched_hints_) hints_->give_again();
            if (hints_ != nullptr && hints_->has_news()) return true;
            sleep_milliseconds(time_.left(now) > sleepless ? 1 : 0);
        }
    }

    /// True when a search that late hints have begun was cut short at a smaller depth than the one
    /// before, which has found `move`. That stays then, unless the hints leave it out, or a
    /// restriction under which it was found is no longer the same.
    [[nodiscard]] bool came_too_late(const SearchResult& result,
                                     const std::optional<Move>& move) const {
        if (!move || !is_cut_short_ || result.is_trusted || result.depth >= last_depth_)
            return false;
        return choice_ == last_choice_ || (last_choice_.empty() && permits(choice_, *move));
    }

    /// Shows what the search has found.
    SearchInfo finish(const SearchResult& result) {
        last_depth_ = result.depth;
        last_choice_ = choice_;
        shown_.has_score = result.has_score;
        shown_.depth = shown_.has_score ? std::max(shown_.depth, result.depth) : 0;
        shown_.score = result.score;
        shown_.nodes = result.nodes;
        shown_.line = result.line;
        shown_.egdb = result.egdb;
        return show_last(shown_, result.move);
    }

    /// Shows the end of a search, with what is hinted now of the move that it has found.
    SearchInfo show_last(SearchInfo last, const std::optional<Move>& move) {
        if (hints_ != nullptr && move) last.hint = hints_->source_of(*move);
        last.seconds = stopwatch_.seconds();
        last.is_last = true;
        observer_.show(last);
        return last;
    }

private:
    IterationChange change_to(const SearchReport& report) {
        IterationChange change;
        if (last_best_ && !report.line.empty())
            change = {.loss = last_score_ - report.score,
                      .is_new_move = *last_best_ != report.line.front()};
        std::uint64_t nodes = 0;
        for (const RootMove& move : report.moves)
            nodes += move.nodes;
        if (nodes != 0)
            change.best_share =
                static_cast<double>(report.moves.front().nodes) / static_cast<double>(nodes);
        last_score_ = report.score;
        if (!report.line.empty()) last_best_ = report.line.front();
        return change;
    }

    void show(double now) {
        constexpr double interval = 0.1;
        shown_.seconds = now;
        observer_.show(shown_);
        next_show_ = now + interval;
    }

    TimeManager time_;
    Stopwatch stopwatch_;
    bool all_scores_;
    EngineObserver& observer_;
    HintReader* hints_;
    SearchInfo shown_;
    double next_show_ = 0;
    bool is_cut_short_ = false;          // the time was up, or the move was wanted
    bool is_first_read_ = true;          // of the search, which has not asked for hints yet
    bool has_unsearched_hints_ = false;  // no iteration has begun since they were read
    std::vector<Move> choice_;  // the moves that hints leave to choose among; empty: all of them
    // Of the search whose result stands.
    int last_depth_ = 0;
    std::vector<Move> last_choice_;
    // Of the previous iteration.
    std::optional<Move> last_best_;
    Score last_score_ = 0;
};

}  // namespace

EngineResult think_with(GameSearch& search, const Game& game, const SearchLimits& limits,
                        const TimeControl& control, EngineObserver& observer,
                        const Stopwatch& stopwatch, HintReader* hints) {
    const TimeManager time(control, count(game.position().occupied()));
    TimedSearchObserver timed(time, stopwatch, limits.all_scores, observer, hints);
    EngineResult result;
    for (;;) {
        timed.begin();
        const SearchResult searched = search.run(game.reversible_history(), limits, timed);
        if (timed.came_too_late(searched, result.move)) {
            result.last = timed.show_last(std::move(result.last), result.move);
        } else {
            result.move = searched.move;
            result.proven = proven_outcome(game, limits, searched);
            result.last = timed.finish(searched);
        }
        DEFIANCE_ASSERT(result.move || game.rules().count_moves(game.position()) == 0);
        if (!result.move || searched.is_trusted || !timed.wait_for_hints()) return result;
    }
}

}  // namespace defiance
