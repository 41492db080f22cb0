#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/posdb/move_scorer.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/scoring_task.hpp>

namespace defiance {

/// A position whose moves are to be scored.
struct ScoringJob {
    std::uint64_t lease = 0;
    StoreGame game = StoreGame::english;
    Position position;  ///< its moves may be known already: then only the lease is to be ended
    bool is_done = false;
    std::string note;  ///< of the task, as bytes
};

/// How long the position of a job is kept from others. Then it is given to somebody else.
inline constexpr double scoring_lease_seconds = 600;
/// How long its moves may be searched in all, so that there is time left to deliver the scores.
inline constexpr double max_scoring_seconds = 480;

/// Why the scores of a job were not taken.
struct DeliveryFailure {
    std::string text;       ///< one line
    bool is_final = false;  ///< these scores are refused: to deliver them again is no use
};

/// Where jobs come from and results go to. Used by one thread.
class JobSource {
public:
    virtual ~JobSource() = default;
    /// Some jobs; none when there are none at the moment. Error: one line.
    [[nodiscard]] virtual Result<std::vector<ScoringJob>> next() = 0;
    /// Delivers the scores of a job; to do it again is safe.
    [[nodiscard]] virtual std::optional<DeliveryFailure> deliver(
        const ScoringJob& job, const std::vector<KnownMove>& moves) = 0;
    /// Gives a job back that was not finished.
    virtual void give_back(const ScoringJob& job) = 0;
};

/// Threads that score the moves of positions until they are told to stop or have done as many as
/// they should. Scores that cannot be
/// delivered, as while a server is started anew, are kept and delivered when it is possible again,
/// until others get the position; a last time when the pool stops. A thread whose scores are
/// refused for good several times in a row takes no jobs for a long while, which leaves them to
/// others. One that runs out of memory gives its job back and goes on after a while.
class ScoringPool {
public:
    struct Options {
        int threads = 1;
        ScoringEffort effort;
        double idle_seconds = 0.2;  ///< before a thread without a job asks again
        double pause_seconds = 2;   ///< before a thread tries again what has failed
        double lease_seconds = scoring_lease_seconds;    ///< so long scores are kept
        double refusal_seconds = scoring_lease_seconds;  ///< without jobs after refusals in a row
        std::function<std::unique_ptr<JobSource>()> make_source;  ///< for each thread
        std::function<const EndgameDatabases*(StoreGame)> endgames;
        /// About an error, once for each row of the same; from any thread.
        std::function<void(const std::string&)> warn;
        /// After each position that was delivered; from any thread. May be empty.
        std::function<void(const ScoringJob&)> scored;
        /// When so many positions were scored and delivered, the threads end. None for no limit.
        std::optional<std::uint64_t> count;
    };

    /// Starts the threads, or fewer if the system has no more. When it has none, the exception of
    /// std::thread leaves this function.
    explicit ScoringPool(Options options);
    ScoringPool(const ScoringPool&) = delete;
    ScoringPool& operator=(const ScoringPool&) = delete;
    ~ScoringPool();

    /// Stops searches, tries once more to deliver what could not be delivered, and returns when all
    /// threads have ended.
    void stop();

    /// Positions that were scored and delivered.
    [[nodiscard]] std::uint64_t scored() const { return scored_; }
    /// Positions that were scored in vain: their scores were refused, or could not be delivered
    /// until others got them or the pool stopped.
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    /// How often something has failed: the source, or for want of memory.
    [[nodiscard]] std::uint64_t failures() const { return failures_; }

private:
    class Worker;
    class Place;

    /// Whether another position may be scored, when all that are being scored are delivered.
    [[nodiscard]] bool has_place() const { return !options_.count || places_ < *options_.count; }
    void run();
    void rest(double seconds) const;

    Options options_;
    std::atomic<bool> is_stopping_ = false;
    std::atomic<std::uint64_t> places_ = 0;  ///< positions that are being scored or delivered
    std::atomic<std::uint64_t> scored_ = 0;
    std::atomic<std::uint64_t> lost_ = 0;
    std::atomic<std::uint64_t> failures_ = 0;
    std::vector<std::thread> threads_;
};

/// Takes jobs from the queue of a store and adds the scores to the databases.
class StoreJobSource : public JobSource {
public:
    /// Keeps references; `database_of` gives the database of a game.
    StoreJobSource(PositionStore& store, std::function<PositionDatabase&(StoreGame)> database_of,
                   int jobs_at_once = 1)
        : store_(store), database_of_(std::move(database_of)), jobs_at_once_(jobs_at_once) {}

    Result<std::vector<ScoringJob>> next() override;
    std::optional<DeliveryFailure> deliver(const ScoringJob& job,
                                           const std::vector<KnownMove>& moves) override;
    void give_back(const ScoringJob& job) override;

private:
    [[nodiscard]] std::optional<Error> add_job(const TaskLease& lease,
                                               std::vector<ScoringJob>& jobs);

    PositionStore& store_;
    std::function<PositionDatabase&(StoreGame)> database_of_;
    int jobs_at_once_;
};

}  // namespace defiance
