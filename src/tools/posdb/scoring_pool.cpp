#include <tools/posdb/scoring_pool.hpp>

#include <array>
#include <deque>
#include <exception>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <tools/support/games.hpp>

namespace defiance {

/// One of the threads, with all that is its own.
class ScoringPool::Worker {
public:
    explicit Worker(ScoringPool& pool) : pool_(pool), source_(pool.options_.make_source()) {}

    /// Returns when the pool stops.
    void work();

private:
    struct Scores {
        ScoringJob job;
        std::vector<KnownMove> moves;
        Stopwatch since_lease;
    };

    /// When so many scores could not be delivered, no more are found in vain.
    static constexpr std::size_t max_undelivered = 16;

    void score(const ScoringJob& job, const Stopwatch& since_lease);
    [[nodiscard]] std::optional<DeliveryFailure> deliver(const Scores& scores);
    void deliver_again();
    void warn_once(const std::string& problem, std::string_view more);

    ScoringPool& pool_;
    std::unique_ptr<JobSource> source_;
    std::array<std::unique_ptr<MoveScorer>, store_game_names.size()> scorers_;
    std::deque<Scores> undelivered_;
    std::string told_;  ///< the error of the present row of failures
};

void ScoringPool::Worker::work() {
    const Options& options = pool_.options_;
    while (!pool_.is_stopping_) {
        const bool has_room = undelivered_.size() < max_undelivered;
        std::vector<ScoringJob> jobs;
        bool has_failed = !has_room;
        // From before it begins, so that the lease never ends first.
        const Stopwatch since_lease;
        if (has_room) {
            auto next = source_->next();
            has_failed = !next;
            if (!next) {
                warn_once(next.error(), "");
            } else {
                told_.clear();
                jobs = *std::move(next);
            }
        }
        // Before a long search. Also after an error, which may have been of next() alone.
        deliver_again();
        for (const ScoringJob& job : jobs)
            score(job, since_lease);
        if (has_failed)
            pool_.rest(options.pause_seconds);
        else if (jobs.empty())
            pool_.rest(options.idle_seconds);
    }
}

void ScoringPool::Worker::score(const ScoringJob& job, const Stopwatch& since_lease) {
    const Options& options = pool_.options_;
    auto& scorer = scorers_[static_cast<std::size_t>(job.game)];
    if (!scorer) {
        auto made = MoveScorer::make(*find_game(name_of(job.game)), options.endgames(job.game),
                                     options.effort);
        if (!made) {
            source_->give_back(job);
            options.warn(made.error());
            return pool_.rest(options.pause_seconds);
        }
        scorer = *std::move(made);
    }
    Scores scores{job, {}, since_lease};
    if (!job.is_done) {
        auto moves = scorer->score(job.position, [this] { return pool_.is_stopping_.load(); });
        if (!moves) return source_->give_back(job);
        scores.moves = *std::move(moves);
    }
    const std::optional<DeliveryFailure> failure = deliver(scores);
    if (!failure) return;
    if (failure->is_final) {
        warn_once(failure->text, "");
        return pool_.rest(options.pause_seconds);
    }
    warn_once(failure->text, "; the scores are kept until others get the position");
    undelivered_.push_back(std::move(scores));
}

std::optional<DeliveryFailure> ScoringPool::Worker::deliver(const Scores& scores) {
    auto failure = source_->deliver(scores.job, scores.moves);
    if (failure || scores.job.is_done) return failure;
    ++pool_.scored_;
    if (pool_.options_.scored) pool_.options_.scored(scores.job);
    return failure;
}

/// Delivers what could not be delivered before, until something fails again.
void ScoringPool::Worker::deliver_again() {
    while (!undelivered_.empty() && !pool_.is_stopping_) {
        Scores scores = std::move(undelivered_.front());
        undelivered_.pop_front();
        if (scores.since_lease.seconds() >= pool_.options_.lease_seconds) continue;
        const std::optional<DeliveryFailure> failure = deliver(scores);
        if (!failure) continue;
        // Next time the others come first: it may be this position that the source cannot store.
        if (!failure->is_final) undelivered_.push_back(std::move(scores));
        return;
    }
}

/// Tells the problem, unless it has just been told.
void ScoringPool::Worker::warn_once(const std::string& problem, std::string_view more) {
    if (problem == told_) return;
    told_ = problem;
    pool_.options_.warn(problem + std::string(more));
}

ScoringPool::ScoringPool(Options options) : options_(std::move(options)) {
    DEFIANCE_ASSERT(options_.threads >= 0 && options_.make_source);
    threads_.reserve(static_cast<std::size_t>(options_.threads));
    try {
        for (int i = 0; i < options_.threads; ++i)
            threads_.emplace_back([this] { Worker(*this).work(); });
    } catch (const std::exception&) {
        if (threads_.empty()) throw;
    }
}

ScoringPool::~ScoringPool() {
    stop();
}

void ScoringPool::stop() {
    is_stopping_ = true;
    for (std::thread& thread : threads_)
        if (thread.joinable()) thread.join();
}

void ScoringPool::rest(double seconds) const {
    constexpr int step_milliseconds = 20;
    const Stopwatch stopwatch;
    while (!is_stopping_ && stopwatch.seconds() < seconds)
        sleep_milliseconds(step_milliseconds);
}

Result<std::vector<ScoringJob>> StoreJobSource::next() {
    std::vector<ScoringJob> jobs;
    const auto leases = store_.lease(jobs_at_once_, scoring_lease_seconds);
    if (!leases) return Error{leases.error()};
    for (const TaskLease& lease : *leases) {
        const Position position = board_of(lease.task.key);
        PositionDatabase& database = database_of_(lease.task.game);
        const bool is_sound = position.is_consistent() && !find_fault(position) &&
                              decode_note(lease.task.note).has_value();
        if (!is_sound || database.is_trivial(position)) {
            // Nobody can do it.
            if (const auto done = store_.complete(lease.id); !done) return Error{done.error()};
            continue;
        }
        const auto known = database.find(position);
        if (!known) return Error{known.error()};
        jobs.push_back({lease.id, lease.task.game, position,
                        is_complete(*known, database.rules(), position), lease.task.note});
    }
    return jobs;
}

std::optional<DeliveryFailure> StoreJobSource::deliver(const ScoringJob& job,
                                                       const std::vector<KnownMove>& moves) {
    const auto note = decode_note(job.note);
    DEFIANCE_ASSERT(note);
    std::optional<Position> parent;
    if (note->parent) parent = board_of(*note->parent);
    if (const auto error = database_of_(job.game).add(job.position, moves, note->ply, parent))
        return DeliveryFailure{error->text};
    const auto done = store_.complete(job.lease);
    if (!done) return DeliveryFailure{done.error()};
    return std::nullopt;
}

void StoreJobSource::give_back(const ScoringJob& job) {
    // A lease that cannot be ended runs out.
    (void)store_.release(job.lease);
}

}  // namespace defiance
