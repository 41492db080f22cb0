#pragma once

#include <array>
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

/// Where jobs come from and results go to. Used by one thread.
class JobSource {
public:
    virtual ~JobSource() = default;
    /// Some jobs; none when there are none at the moment. Error: one line.
    [[nodiscard]] virtual Result<std::vector<ScoringJob>> next() = 0;
    /// Delivers the scores of a job.
    [[nodiscard]] virtual std::optional<Error> deliver(const ScoringJob& job,
                                                       const std::vector<KnownMove>& moves) = 0;
    /// Gives a job back that was not finished.
    virtual void give_back(const ScoringJob& job) = 0;
};

/// Threads that score the moves of positions until they are told to stop.
class ScoringPool {
public:
    struct Options {
        int threads = 1;
        ScoringEffort effort;
        double idle_seconds = 0.2;  ///< before a thread without a job asks again
        std::function<std::unique_ptr<JobSource>()> make_source;  ///< for each thread
        std::function<const EndgameDatabases*(StoreGame)> endgames;
        std::function<void(const std::string&)> warn;  ///< about an error; from any thread
        /// After each position that was delivered; from any thread. May be empty.
        std::function<void(const ScoringJob&)> scored;
    };

    /// Starts the threads, or fewer if the system has no more. When it has none, the exception of
    /// std::thread leaves this function.
    explicit ScoringPool(Options options);
    ScoringPool(const ScoringPool&) = delete;
    ScoringPool& operator=(const ScoringPool&) = delete;
    ~ScoringPool();

    /// Stops searches and returns when all threads have ended.
    void stop();

    /// Positions that were scored and delivered.
    [[nodiscard]] std::uint64_t scored() const { return scored_; }

private:
    using Scorers = std::array<std::unique_ptr<MoveScorer>, store_game_names.size()>;

    void work();
    void score(const ScoringJob& job, JobSource& source, Scorers& scorers);
    void rest(double seconds) const;

    Options options_;
    std::atomic<bool> is_stopping_ = false;
    std::atomic<std::uint64_t> scored_ = 0;
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
    std::optional<Error> deliver(const ScoringJob& job,
                                 const std::vector<KnownMove>& moves) override;
    void give_back(const ScoringJob& job) override;

private:
    PositionStore& store_;
    std::function<PositionDatabase&(StoreGame)> database_of_;
    int jobs_at_once_;
};

}  // namespace defiance
