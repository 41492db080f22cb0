#include <tools/posdb/scoring_pool.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <tools/posdb/try_to.hpp>
#include <tools/support/games.hpp>

namespace defiance {

/// The right to score a position: one of Options::count. It is given back when the scores come to
/// nothing.
class ScoringPool::Place {
public:
    /// Nothing when there is none left.
    [[nodiscard]] static std::optional<Place> take(ScoringPool& pool) {
        if (pool.options_.count && ++pool.places_ > *pool.options_.count) {
            --pool.places_;
            return std::nullopt;
        }
        return Place(pool);
    }
    Place(Place&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
    Place& operator=(Place&& other) noexcept {
        std::swap(pool_, other.pool_);
        return *this;
    }
    ~Place() {
        if (pool_ != nullptr && pool_->options_.count) --pool_->places_;
    }

    /// The scores were delivered. True when they were the last ones.
    [[nodiscard]] bool keep() {
        const ScoringPool& pool = *std::exchange(pool_, nullptr);
        return pool.options_.count && pool.scored_ >= *pool.options_.count;
    }

private:
    explicit Place(ScoringPool& pool) : pool_(&pool) {}

    ScoringPool* pool_;
};

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
        std::optional<Place> place;  ///< unless the job was done before
    };

    /// When so many scores could not be delivered, no more are found in vain.
    static constexpr std::size_t max_undelivered = 16;
    /// After so many refusals for good in a row more are to be expected.
    static constexpr int max_refusals = 3;
    /// So long the user waits for the last attempts when the pool stops; the last may take longer.
    static constexpr double last_attempts_seconds = 5;

    void do_next();
    void get_over_want_of_memory();
    void score(const ScoringJob& job, const Stopwatch& since_lease);
    [[nodiscard]] std::optional<DeliveryFailure> deliver(Scores& scores);
    void deliver_again();
    void deliver_at_the_end();
    [[nodiscard]] bool is_too_late(const Scores& scores) const {
        return scores.since_lease.seconds() >= pool_.options_.lease_seconds;
    }
    /// Whether the last scores were refused for good, one after the other, not long ago.
    [[nodiscard]] bool is_refused() const {
        return refusals_ >= max_refusals &&
               since_refusal_.seconds() < pool_.options_.refusal_seconds;
    }
    void count_as_lost(const ScoringJob& job);
    void warn_of_refusal(const DeliveryFailure& failure);
    void warn_once(const std::string& problem, std::string_view more);

    ScoringPool& pool_;
    std::unique_ptr<JobSource> source_;
    std::array<std::unique_ptr<MoveScorer>, store_game_names.size()> scorers_;
    std::vector<ScoringJob> jobs_;  ///< the present ones, the last one first
    std::deque<Scores> undelivered_;
    int refusals_ = 0;  ///< for good, since scores were taken
    Stopwatch since_refusal_;
    std::string told_;           ///< the error of the present row of failures
    bool lacks_memory_ = false;  ///< since the last job that was done
};

void ScoringPool::Worker::work() {
    while (!pool_.is_stopping_)
        if (!try_to([this] { do_next(); })) get_over_want_of_memory();
    static_cast<void>(try_to([this] { deliver_at_the_end(); }));
    for (const Scores& scores : undelivered_)
        count_as_lost(scores.job);
}

/// Asks for jobs and does them.
void ScoringPool::Worker::do_next() {
    const Options& options = pool_.options_;
    const bool is_stuck = undelivered_.size() >= max_undelivered || is_refused();
    const bool may_take = !is_stuck && pool_.has_place();
    bool has_failed = is_stuck;
    // From before it begins, so that the lease never ends first.
    const Stopwatch since_lease;
    if (may_take) {
        auto next = source_->next();
        has_failed = !next;
        if (!next) {
            ++pool_.failures_;
            warn_once(next.error(), "");
        } else {
            told_.clear();
            jobs_ = *std::move(next);
        }
    }
    // Before a long search. Also after an error, which may have been of next() alone.
    deliver_again();
    const bool is_idle = jobs_.empty();
    std::reverse(jobs_.begin(), jobs_.end());
    for (; !jobs_.empty(); jobs_.pop_back())
        score(jobs_.back(), since_lease);
    if (!is_idle) lacks_memory_ = false;
    if (has_failed)
        pool_.rest(options.pause_seconds);
    else if (is_idle)
        pool_.rest(options.idle_seconds);
}

/// Gives back what has not been done, frees what is easily made again, and waits.
void ScoringPool::Worker::get_over_want_of_memory() {
    ++pool_.failures_;
    for (auto& scorer : scorers_)
        scorer.reset();
    for (; !jobs_.empty(); jobs_.pop_back())
        // What cannot be given back goes to others when its lease runs out.
        static_cast<void>(try_to([this] { source_->give_back(jobs_.back()); }));
    if (!std::exchange(lacks_memory_, true))
        static_cast<void>(try_to(
            [this] { pool_.options_.warn("there is too little memory to score positions"); }));
    pool_.rest(pool_.options_.pause_seconds);
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
    Scores scores{job, {}, since_lease, {}};
    if (!job.is_done) {
        scores.place = Place::take(pool_);
        if (!scores.place) return source_->give_back(job);
        auto moves = scorer->score(job.position, [this] { return pool_.is_stopping_.load(); });
        if (!moves) return source_->give_back(job);
        scores.moves = *std::move(moves);
    }
    const std::optional<DeliveryFailure> failure = deliver(scores);
    if (!failure) return;
    if (failure->is_final) {
        count_as_lost(job);
        warn_of_refusal(*failure);
        return pool_.rest(options.pause_seconds);
    }
    warn_once(failure->text, "; the scores are kept until others get the position");
    undelivered_.push_back(std::move(scores));
}

std::optional<DeliveryFailure> ScoringPool::Worker::deliver(Scores& scores) {
    auto failure = source_->deliver(scores.job, scores.moves);
    if (failure) {
        ++pool_.failures_;
        if (failure->is_final) {
            ++refusals_;
            since_refusal_ = Stopwatch();
        }
        return failure;
    }
    refusals_ = 0;
    if (scores.job.is_done) return failure;
    ++pool_.scored_;
    const bool is_last = scores.place->keep();
    // It is delivered also when there is too little memory to tell.
    if (const auto& scored = pool_.options_.scored)
        static_cast<void>(try_to([&] { scored(scores.job); }));
    if (is_last) pool_.is_stopping_ = true;
    return failure;
}

/// Delivers what could not be delivered before, until something fails again.
void ScoringPool::Worker::deliver_again() {
    while (!undelivered_.empty() && !pool_.is_stopping_) {
        // Next time the others come first: it may be this position that the source cannot store.
        std::rotate(undelivered_.begin(), undelivered_.begin() + 1, undelivered_.end());
        Scores& scores = undelivered_.back();
        const bool is_late = is_too_late(scores);
        const auto failure = is_late ? std::nullopt : deliver(scores);
        if (failure && !failure->is_final) return;
        if (is_late || failure) count_as_lost(scores.job);
        undelivered_.pop_back();
        if (failure) return warn_of_refusal(*failure);
    }
}

/// Delivers each of the scores that are left, if it can be done now.
void ScoringPool::Worker::deliver_at_the_end() {
    const Stopwatch stopwatch;
    for (; !undelivered_.empty(); undelivered_.pop_front()) {
        Scores& scores = undelivered_.front();
        const bool is_late = stopwatch.seconds() >= last_attempts_seconds || is_too_late(scores);
        if (is_late || deliver(scores)) count_as_lost(scores.job);
    }
}

/// Nothing is lost with a position whose scores are known.
void ScoringPool::Worker::count_as_lost(const ScoringJob& job) {
    if (!job.is_done) ++pool_.lost_;
}

void ScoringPool::Worker::warn_of_refusal(const DeliveryFailure& failure) {
    warn_once(failure.text, is_refused() ? "; positions are left to others for a while" : "");
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
            threads_.emplace_back([this] { run(); });
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

/// What each thread does.
void ScoringPool::run() {
    while (!is_stopping_) {
        if (try_to([this] { Worker(*this).work(); })) return;
        // There was too little memory to begin with.
        ++failures_;
        rest(options_.pause_seconds);
    }
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
        if (const auto error = add_job(lease, jobs)) {
            // The record of this position alone may be damaged. Its lease is left to run out: given
            // back it would be the next again, and all others would wait for ever.
            for (const TaskLease& other : *leases)
                if (other.id != lease.id && !store_.release(other.id)) break;
            return *error;
        }
    }
    return jobs;
}

/// Adds the job of a task; or ends the task, if there is nothing to do.
std::optional<Error> StoreJobSource::add_job(const TaskLease& lease,
                                             std::vector<ScoringJob>& jobs) {
    const Position position = board_of(lease.task.key);
    PositionDatabase& database = database_of_(lease.task.game);
    const bool is_sound = position.is_consistent() && find_problem(position).empty() &&
                          decode_note(lease.task.note).has_value();
    if (!is_sound || database.is_trivial(position)) {
        // Nobody can do it.
        if (const auto done = store_.complete(lease.id); !done) return Error{done.error()};
        return std::nullopt;
    }
    const auto known = database.find(position);
    if (!known) return Error{known.error()};
    jobs.push_back({lease.id, lease.task.game, position,
                    is_complete(*known, database.rules(), position), lease.task.note});
    return std::nullopt;
}

std::optional<DeliveryFailure> StoreJobSource::deliver(const ScoringJob& job,
                                                       const std::vector<KnownMove>& moves) {
    const auto note = decode_note(job.note);
    DEFIANCE_ASSERT(note);
    std::optional<Position> parent;
    if (note->parent) parent = board_of(*note->parent);
    PositionDatabase& database = database_of_(job.game);
    // Other workers may name a position that is never stored.
    if (!database.is_trivial(job.position))
        if (const auto error = database.add(job.position, moves, note->ply, parent))
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
