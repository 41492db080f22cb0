#include <tools/store/queue_file.hpp>

#include <algorithm>
#include <random>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/try_patiently.hpp>
#include <tools/store/byte_codec.hpp>

namespace defiance {
namespace {

constexpr std::string_view queue_kind = "Q001";
constexpr char pushed_mark = '+';
constexpr char done_mark = '-';
/// Bytes before the note.
constexpr std::size_t task_bytes = 3 + position_key_bytes;

/// A task as it is recorded: the mark, the game, the priority, the key, the note.
std::string record_of_task(char mark, const StoreTask& task) {
    std::string payload(1, mark);
    payload += static_cast<char>(task.game);
    payload += static_cast<char>(task.priority);
    append_key(payload, task.key);
    if (mark == pushed_mark) payload += task.note;
    return payload;
}

std::optional<StoreTask> task_in(std::string_view payload) {
    if (payload.size() < task_bytes || payload.size() > task_bytes + max_task_note)
        return std::nullopt;
    const auto game = static_cast<unsigned char>(payload[1]);
    const auto priority = static_cast<unsigned char>(payload[2]);
    if (game >= store_game_names.size() || priority > max_task_priority) return std::nullopt;
    return StoreTask{static_cast<StoreGame>(game), key_at(payload, 3), priority,
                     std::string(payload.substr(task_bytes))};
}

std::uint64_t any_number() {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32 | device();
}

TaskQueue::Time later(TaskQueue::Time now, double seconds) {
    return now + std::chrono::duration_cast<TaskQueue::Clock::duration>(
                     std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6)));
}

/// For a file that is known.
void pass_over(std::uint64_t, std::string_view) {}

/// Puts what a record of a file says into a queue. False when it says nothing.
bool replay(std::string_view payload, TaskQueue& queue) {
    const std::optional<StoreTask> task = task_in(payload);
    if (!task || (payload[0] != pushed_mark && payload[0] != done_mark)) return false;
    if (payload[0] == pushed_mark) queue.push(*task);
    if (payload[0] == done_mark) queue.remove(task->game, task->key);
    return true;
}

}  // namespace

std::optional<Error> QueueFile::open_log(LogReport& report) {
    Result<RecordLog> log = RecordLog::open(
        path_, queue_kind,
        [&](std::uint64_t, std::string_view payload) {
            static_cast<void>(replay(payload, queue_));
        },
        report);
    if (!log) return Error{log.error()};
    log_.emplace(*std::move(log));
    records_ = report.records;
    return std::nullopt;
}

Result<std::unique_ptr<QueueFile>> QueueFile::open(const std::string& path, LogReport& report) {
    std::unique_ptr<QueueFile> file(new QueueFile(path, TaskQueue(max_tasks, any_number())));
    if (std::optional<Error> problem = file->open_log(report)) return *problem;
    return file;
}

Result<LogReport> QueueFile::verify(const std::string& path, std::uint64_t& tasks) {
    TaskQueue queue(max_tasks, 0);
    std::uint64_t strange_bytes = 0;
    const Result<LogReport> found =
        RecordLog::examine(path, queue_kind, [&](std::uint64_t, std::string_view payload) {
            if (!replay(payload, queue)) strange_bytes += payload.size();
        });
    if (!found) return found;
    tasks = queue.size(TaskQueue::Clock::now()).waiting;
    LogReport report = *found;
    report.damaged_bytes += strange_bytes;
    return report;
}

// The caller of what follows, up to record(), holds the mutex.

/// Appends the tasks that are still to be done.
std::optional<Error> QueueFile::write_tasks(RecordLog& log) {
    std::optional<Error> problem;
    queue_.for_each([&](const StoreTask& task) {
        if (problem) return;
        if (const auto offset = log.append(record_of_task(pushed_mark, task)); !offset)
            problem = Error{offset.error()};
    });
    return problem;
}

/// Writes a file of its own with those tasks.
std::optional<Error> QueueFile::write_part(const std::string& part) {
    remove_file(part);
    LogReport report;
    Result<RecordLog> opened = RecordLog::open(part, queue_kind, pass_over, report);
    if (!opened) return Error{opened.error()};
    RecordLog log = *std::move(opened);
    if (std::optional<Error> problem = write_tasks(log)) return problem;
    if (!log.file()->sync()) return file_error(part, "cannot be written");
    return std::nullopt;
}

/// Opens the file when rewrite() has closed it.
std::optional<Error> QueueFile::reopen() {
    LogReport report;
    Result<RecordLog> opened = RecordLog::open(path_, queue_kind, pass_over, report);
    if (!opened) return Error{opened.error()};
    RecordLog log = *std::move(opened);
    const QueueSize size = queue_.size(TaskQueue::Clock::now());
    records_ = report.records;
    if (report.records < size.waiting + size.leased) {
        // Somebody has taken the file away meanwhile, and a new one was begun.
        if (std::optional<Error> problem = write_tasks(log)) return problem;
        records_ += size.waiting + size.leased;
    }
    log_.emplace(std::move(log));
    return std::nullopt;
}

/// Puts a file with the tasks that are still to be done in the place of this one. When that fails
/// this one goes on growing.
void QueueFile::rewrite() {
    const std::string part = path_ + ".new";
    // While another thread waits for the disk it holds the file open.
    const std::lock_guard sync_lock(sync_mutex_);
    // What was recorded must be safe when no file is open afterwards.
    if (write_part(part) || !log_->file()->sync()) return remove_file(part);
    // Windows renames no file that is open.
    log_.reset();
    if (move_into_place(part, path_)) remove_file(part);
    static_cast<void>(try_patiently([&] { return !reopen(); }));
}

void QueueFile::rewrite_when_due() {
    constexpr std::uint64_t some = 10'000;
    const QueueSize size = queue_.size(TaskQueue::Clock::now());
    if (!log_ || records_ <= some + 4 * (size.waiting + size.leased) || records_ < next_rewrite_)
        return;
    const std::uint64_t before = records_;
    rewrite();
    next_rewrite_ = records_ < before ? 0 : records_ + some;
}

std::optional<Error> QueueFile::record(const std::string& payload) {
    rewrite_when_due();
    if (!log_)
        if (std::optional<Error> problem = reopen()) return problem;
    const Result<std::uint64_t> offset = log_->append(payload);
    if (!offset) return Error{offset.error()};
    ++records_;
    return std::nullopt;
}

Result<PushOutcome> QueueFile::push(const StoreTask& task) {
    const bool is_sound = task.note.size() <= max_task_note && task.priority >= 0 &&
                          task.priority <= max_task_priority;
    DEFIANCE_ASSERT(is_sound);
    if (!is_sound) return Error{"such a task cannot be queued"};
    const std::lock_guard lock(mutex_);
    const TaskQueue::Prospect prospect = queue_.would_push(task);
    if (!prospect.changes) return prospect.outcome;
    if (std::optional<Error> problem = record(record_of_task(pushed_mark, task))) return *problem;
    return queue_.push(task);
}

std::vector<TaskLease> QueueFile::lease(int count, double seconds) {
    const std::lock_guard lock(mutex_);
    const TaskQueue::Time now = TaskQueue::Clock::now();
    std::vector<TaskLease> leases;
    for (int i = 0; i < count; ++i) {
        std::optional<TaskLease> lease = queue_.lease(now, later(now, seconds));
        if (!lease) break;
        leases.push_back(*std::move(lease));
    }
    return leases;
}

Result<bool> QueueFile::complete(std::uint64_t lease) {
    const std::lock_guard lock(mutex_);
    const StoreTask* task = queue_.leased(lease, TaskQueue::Clock::now());
    if (task == nullptr) return false;
    if (std::optional<Error> problem = record(record_of_task(done_mark, *task))) return *problem;
    // The lease may have run out while the record was written.
    queue_.remove(task->game, PositionKey(task->key));
    return true;
}

bool QueueFile::release(std::uint64_t lease) {
    const std::lock_guard lock(mutex_);
    if (queue_.leased(lease, TaskQueue::Clock::now()) == nullptr) return false;
    queue_.release(lease);
    return true;
}

QueueSize QueueFile::size() {
    const std::lock_guard lock(mutex_);
    return queue_.size(TaskQueue::Clock::now());
}

TasksByGame QueueFile::tasks_by_game() {
    const std::lock_guard lock(mutex_);
    TasksByGame tasks{};
    queue_.for_each([&](const StoreTask& task) { ++tasks[static_cast<std::size_t>(task.game)]; });
    return tasks;
}

std::optional<Error> QueueFile::failure() {
    const std::lock_guard lock(mutex_);
    // Without a file the next change opens it again.
    return log_ ? log_->failure() : std::nullopt;
}

std::optional<Error> QueueFile::sync() {
    std::unique_lock lock(mutex_);
    if (!log_) return std::nullopt;
    // rewrite() must not begin while the file is held open here.
    const std::lock_guard sync_lock(sync_mutex_);
    const std::shared_ptr<AppendFile> file = log_->file();
    lock.unlock();
    if (file->sync()) return std::nullopt;
    return file_error(path_, "cannot be written to the disk");
}

}  // namespace defiance
