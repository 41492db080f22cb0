#include <tools/posdb/scoring_pool.hpp>

#include <exception>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr double seconds_after_error = 2;

}  // namespace

ScoringPool::ScoringPool(Options options) : options_(std::move(options)) {
    DEFIANCE_ASSERT(options_.threads >= 0 && options_.make_source);
    threads_.reserve(static_cast<std::size_t>(options_.threads));
    try {
        for (int i = 0; i < options_.threads; ++i)
            threads_.emplace_back([this] { work(); });
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

void ScoringPool::work() {
    const std::unique_ptr<JobSource> source = options_.make_source();
    Scorers scorers;
    while (!is_stopping_) {
        const auto jobs = source->next();
        if (!jobs) {
            options_.warn(jobs.error());
            rest(seconds_after_error);
        } else if (jobs->empty()) {
            rest(options_.idle_seconds);
        } else {
            for (const ScoringJob& job : *jobs)
                score(job, *source, scorers);
        }
    }
}

void ScoringPool::score(const ScoringJob& job, JobSource& source, Scorers& scorers) {
    auto& scorer = scorers[static_cast<std::size_t>(job.game)];
    if (!scorer) {
        auto made = MoveScorer::make(*find_game(name_of(job.game)), options_.endgames(job.game),
                                     options_.effort);
        if (!made) {
            source.give_back(job);
            options_.warn(made.error());
            return rest(seconds_after_error);
        }
        scorer = *std::move(made);
    }
    std::vector<KnownMove> moves;
    if (!job.is_done) {
        auto scores = scorer->score(job.position, [this] { return is_stopping_.load(); });
        if (!scores) return source.give_back(job);
        moves = *std::move(scores);
    }
    if (const auto error = source.deliver(job, moves)) {
        options_.warn(error->text);
        rest(seconds_after_error);
    } else if (!job.is_done) {
        ++scored_;
        if (options_.scored) options_.scored(job);
    }
}

Result<std::vector<ScoringJob>> StoreJobSource::next() {
    constexpr double lease_seconds = 600;
    std::vector<ScoringJob> jobs;
    const auto leases = store_.lease(jobs_at_once_, lease_seconds);
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

std::optional<Error> StoreJobSource::deliver(const ScoringJob& job,
                                             const std::vector<KnownMove>& moves) {
    const auto note = decode_note(job.note);
    DEFIANCE_ASSERT(note);
    std::optional<Position> parent;
    if (note->parent) parent = board_of(*note->parent);
    if (auto error = database_of_(job.game).add(job.position, moves, note->ply, parent))
        return error;
    const auto done = store_.complete(job.lease);
    if (!done) return Error{done.error()};
    return std::nullopt;
}

void StoreJobSource::give_back(const ScoringJob& job) {
    // A lease that cannot be ended runs out.
    (void)store_.release(job.lease);
}

}  // namespace defiance
