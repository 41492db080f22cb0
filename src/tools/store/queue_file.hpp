#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/store/position_store.hpp>
#include <tools/store/record_log.hpp>
#include <tools/store/task_queue.hpp>

namespace defiance {

/// A queue of tasks that is kept in a file of records: what was pushed and what is done. Leases are
/// not kept, so a task that was leased when the program ended waits again. Any threads may use it.
class QueueFile {
public:
    /// Opens the file, or creates it.
    static Result<std::unique_ptr<QueueFile>> open(const std::string& path, LogReport& report);

    /// Reads a file without changing it; `tasks` is how many are to be done.
    static Result<LogReport> verify(const std::string& path, std::uint64_t& tasks);

    // As in PositionStore.
    [[nodiscard]] Result<PushOutcome> push(const StoreTask& task);
    [[nodiscard]] std::vector<TaskLease> lease(int count, double seconds);
    [[nodiscard]] Result<bool> complete(std::uint64_t lease);
    [[nodiscard]] bool release(std::uint64_t lease);
    [[nodiscard]] QueueSize size();
    [[nodiscard]] TasksByGame tasks_by_game();
    [[nodiscard]] std::optional<Error> failure();
    [[nodiscard]] std::optional<Error> sync();

    static constexpr std::size_t max_tasks = 1'000'000;

private:
    QueueFile(std::string path, TaskQueue queue)
        : path_(std::move(path)), queue_(std::move(queue)) {}

    [[nodiscard]] std::optional<Error> open_log(LogReport& report);
    [[nodiscard]] std::optional<Error> write_tasks(RecordLog& log);
    [[nodiscard]] std::optional<Error> write_part(const std::string& part);
    [[nodiscard]] std::optional<Error> reopen();
    void rewrite();
    void rewrite_when_due();
    [[nodiscard]] std::optional<Error> record(const std::string& payload);

    std::mutex mutex_;
    std::mutex sync_mutex_;  // held while the disk is waited for; taken after mutex_
    std::string path_;
    TaskQueue queue_;
    /// None after the file could not be opened again when it was written anew. The disk then has
    /// all that was recorded.
    std::optional<RecordLog> log_;
    std::uint64_t records_ = 0;       ///< in the file
    std::uint64_t next_rewrite_ = 0;  ///< so many records must be in it before that is tried again
};

}  // namespace defiance
