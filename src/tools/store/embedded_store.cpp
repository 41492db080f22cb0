#include <tools/store/embedded_store.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr std::chrono::milliseconds sync_interval(200);

/// Warns of what is not right with a file that has been opened. If nothing is, removes what a
/// program that was ended while it wrote the file anew has left: beside a damaged file, or one that
/// was begun anew, that may be all there is.
void look_after(const std::string& path, const LogReport& report, const EmbeddedStore::Warn& warn) {
    if (const auto warning = report.warning(path))
        warn(*warning);
    else if (report.records > 0)
        remove_file(path + ".new");
}

}  // namespace

std::string EmbeddedStore::path_in(const std::string& folder, StoreGame game) {
    return path_below(folder, std::string(name_of(game)) + ".ckdb");
}

std::string EmbeddedStore::queue_path_in(const std::string& folder) {
    return path_below(folder, "queue.ckdb");
}

Result<LockFile> EmbeddedStore::hold(const std::string& folder) {
    return LockFile::hold(path_below(folder, "lock"));
}

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::open(const std::string& folder,
                                                           const Warn& warn,
                                                           Durability durability) {
    if (auto error = create_folder(folder)) return *std::move(error);
    Result<LockFile> lock = hold(folder);
    if (!lock) return Error{lock.error()};
    std::unique_ptr<EmbeddedStore> store(new EmbeddedStore(*std::move(lock), durability));
    for (std::size_t i = 0; i < store->files_.size(); ++i) {
        const auto game = static_cast<StoreGame>(i);
        const std::string path = path_in(folder, game);
        LogReport report;
        auto file = PositionFile::open(path, game, report);
        if (!file) return Error{file.error()};
        look_after(path, report, warn);
        store->files_[i] = *std::move(file);
    }
    const std::string path = queue_path_in(folder);
    LogReport report;
    auto queue = QueueFile::open(path, report);
    if (!queue) return Error{queue.error()};
    look_after(path, report, warn);
    store->queue_ = *std::move(queue);
    try {
        store->thread_ = std::thread([raw = store.get()] { raw->synchronise(); });
    } catch (const std::system_error&) {
        return Error{"there are too many threads to open a store"};
    }
    return store;
}

EmbeddedStore::~EmbeddedStore() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    wakes_.notify_all();
    if (thread_.joinable()) thread_.join();
}

Result<std::optional<StoredValue>> EmbeddedStore::get(StoreGame game, const PositionKey& key) {
    return file_of(game).get(key);
}

Result<std::vector<std::optional<StoredValue>>> EmbeddedStore::get_many(
    StoreGame game, std::span<const PositionKey> keys) {
    std::vector<std::optional<StoredValue>> values;
    values.reserve(keys.size());
    for (const PositionKey& key : keys) {
        Result<std::optional<StoredValue>> value = file_of(game).get(key);
        if (!value) return Error{value.error()};
        values.push_back(*std::move(value));
    }
    return values;
}

Result<UpdateOutcome> EmbeddedStore::update(StoreGame game, const PositionKey& key,
                                            std::uint32_t expected, std::string_view value) {
    const Result<UpdateOutcome> outcome = file_of(game).update(key, expected, value);
    if (!outcome || *outcome == UpdateOutcome::conflict) return outcome;
    if (std::optional<Error> problem = note_change(static_cast<std::size_t>(game))) return *problem;
    return outcome;
}

Result<std::uint64_t> EmbeddedStore::count(StoreGame game) {
    return file_of(game).count();
}

std::optional<Error> EmbeddedStore::for_each(StoreGame game, const Visit& visit) {
    return file_of(game).for_each(visit);
}

std::optional<Error> EmbeddedStore::compact(StoreGame game, const PositionFile::GoOn& go_on) {
    return file_of(game).compact(go_on);
}

std::uint64_t EmbeddedStore::file_size(StoreGame game) const {
    return file_of(game).size();
}

Result<PushOutcome> EmbeddedStore::push(const StoreTask& task) {
    const Result<PushOutcome> outcome = queue_->push(task);
    if (!outcome || *outcome == PushOutcome::full) return outcome;
    if (std::optional<Error> problem = note_change(queue_part)) return *problem;
    return outcome;
}

Result<std::vector<TaskLease>> EmbeddedStore::lease(int count, double seconds) {
    return queue_->lease(count, seconds);
}

Result<bool> EmbeddedStore::complete(std::uint64_t lease) {
    // A power failure must not take what was found when the task is gone already.
    if (durability_ != Durability::os)
        if (std::optional<Error> problem = commit()) return *problem;
    const Result<bool> done = queue_->complete(lease);
    if (!done || !*done) return done;
    if (std::optional<Error> problem = note_change(queue_part)) return *problem;
    return done;
}

Result<bool> EmbeddedStore::release(std::uint64_t lease) {
    return queue_->release(lease);
}

Result<QueueSize> EmbeddedStore::queue_size() {
    return queue_->size();
}

Result<TasksByGame> EmbeddedStore::tasks_by_game() {
    return queue_->tasks_by_game();
}

std::optional<Error> EmbeddedStore::note_change(std::size_t part) {
    std::unique_lock lock(mutex_);
    changed_[part] = true;
    ++changes_;
    return durability_ == Durability::sync ? wait_for_disk(lock) : failure_;
}

std::uint64_t EmbeddedStore::changes_not_on_disk() {
    const std::lock_guard lock(mutex_);
    DEFIANCE_ASSERT(safe_changes_ <= changes_);
    return changes_ - safe_changes_;
}

std::optional<Error> EmbeddedStore::commit() {
    std::unique_lock lock(mutex_);
    return wait_for_disk(lock);
}

std::optional<Error> EmbeddedStore::failure() {
    for (const auto& file : files_)
        if (auto problem = file->failure()) return problem;
    if (auto problem = queue_->failure()) return problem;
    const std::lock_guard lock(mutex_);
    return failure_;
}

/// Waits until the disk has all changes that were made before. The caller holds the mutex.
std::optional<Error> EmbeddedStore::wait_for_disk(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t wanted = changes_;
    wanted_changes_ = std::max(wanted_changes_, wanted);
    wakes_.notify_one();
    synchronised_.wait(lock, [&] { return safe_changes_ >= wanted || failure_; });
    return failure_;
}

std::optional<Error> EmbeddedStore::sync_parts(const std::array<bool, parts>& changed) {
    for (std::size_t part = 0; part < parts; ++part) {
        if (!changed[part]) continue;
        std::optional<Error> problem = part == queue_part ? queue_->sync() : files_[part]->sync();
        if (problem) return problem;
    }
    return std::nullopt;
}

/// Writes changes to the disk when somebody waits for it, and in groups those of a fifth of a
/// second together.
void EmbeddedStore::synchronise() {
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto has_work = [&] { return is_ending_ || wanted_changes_ > safe_changes_; };
        if (durability_ == Durability::group)
            wakes_.wait_for(lock, sync_interval, has_work);
        else
            wakes_.wait(lock, has_work);
        const bool is_last = is_ending_;
        const std::uint64_t covered = changes_;
        const std::array<bool, parts> changed = std::exchange(changed_, {});
        if (covered > safe_changes_ && !failure_) {
            lock.unlock();
            std::optional<Error> problem;
            try {
                problem = sync_parts(changed);
            } catch (const std::exception&) {
                // Not even the problem could be told. So short a text needs no memory of its own.
                problem.emplace(Error{"out of memory"});
            }
            lock.lock();
            // What a failed write has left on the disk is not known, so it is not tried again.
            if (problem) failure_ = std::move(problem);
            if (!failure_) safe_changes_ = covered;
        }
        if (failure_) wanted_changes_ = safe_changes_;
        synchronised_.notify_all();
        if (is_last) return;
    }
}

Result<std::optional<StoreVerification>> verify_positions(const std::string& folder, StoreGame game,
                                                          const PositionFile::Inspect& visit) {
    const std::string path = EmbeddedStore::path_in(folder, game);
    if (!file_exists(path)) return std::optional<StoreVerification>();
    StoreVerification found;
    const Result<LogReport> report = PositionFile::verify(path, game, found.positions, visit);
    if (!report) return Error{report.error()};
    found.report = *report;
    return std::optional(found);
}

Result<std::optional<StoreVerification>> verify_queue(const std::string& folder) {
    const std::string path = EmbeddedStore::queue_path_in(folder);
    if (!file_exists(path)) return std::optional<StoreVerification>();
    StoreVerification found;
    const Result<LogReport> report = QueueFile::verify(path, found.positions);
    if (!report) return Error{report.error()};
    found.report = *report;
    return std::optional(found);
}

}  // namespace defiance
