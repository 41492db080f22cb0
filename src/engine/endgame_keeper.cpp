#include <defiance/engine/endgame_keeper.hpp>

#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/background.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/foreign.hpp>

namespace defiance {
namespace {

/// The full path of a folder option, with a final separator; empty for an empty text.
std::string folder_meant(const std::string& text) {
    if (text.empty()) return {};
    const std::string path = is_absolute(text) ? text : folder_of(program_path()) + text;
    const char last = path.back();
    return last == '/' || last == '\\' ? path : path + path_separator;
}

EndgameSettings settings_for(const EndgameOptions& options) {
    EndgameSettings settings;
    settings.folder = folder_meant(options.folder);
    // The folder of our own larger databases, and the one of the databases that come with
    // CheckerBoard.
    settings.default_folders = {folder_of(module_path()) + "defiance" + path_separator,
                                folder_of(program_path()) + "db" + path_separator};
    // Never a data folder, because a driver is code that runs inside the host program.
    settings.driver_folders = {folder_of(program_path()), folder_of(module_path())};
    if (options.use_distances) settings.distance_folder = folder_meant(options.distance_folder);
    settings.max_pieces = options.max_pieces;
    settings.foreign_bytes = std::uint64_t{options.mebibytes} << 20;
    return settings;
}

/// How long a reply may wait for a background task; the whole reply should take at most 50 ms.
constexpr std::chrono::milliseconds user_patience{35};

/// For databases made by others that are only described.
constexpr std::uint64_t little_memory = std::uint64_t{1} << 20;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

}  // namespace

EndgameOptions EndgameKeeper::options() const {
    const std::lock_guard lock(mutex_);
    return options_;
}

std::shared_ptr<const EndgameDatabases> EndgameKeeper::set(const EndgameOptions& options) {
    const std::lock_guard lock(mutex_);
    if (options == options_) return nullptr;
    options_ = options;
    return release_locked();
}

std::shared_ptr<const EndgameDatabases> EndgameKeeper::release() {
    const std::lock_guard lock(mutex_);
    return release_locked();
}

/// release() for a caller that holds the lock.
std::shared_ptr<const EndgameDatabases> EndgameKeeper::release_locked() {
    is_open_ = false;
    if (endgames_ != nullptr) replaced_ = endgames_;
    return std::exchange(endgames_, nullptr);
}

std::shared_ptr<const EndgameDatabases> EndgameKeeper::endgames() {
    const std::lock_guard opening(opening_);
    EndgameOptions wanted;
    {
        const std::lock_guard lock(mutex_);
        if (is_open_) return endgames_;
        DEFIANCE_ASSERT(endgames_ == nullptr);
        wanted = options_;
    }
    std::shared_ptr<const EndgameDatabases> opened;
    if (wanted.is_on) opened = core_.open_endgames(settings_for(wanted));
    const std::lock_guard lock(mutex_);
    // If the options changed meanwhile, these databases are for this caller only.
    if (wanted == options_) {
        endgames_ = opened;
        is_open_ = true;
    }
    return opened;
}

std::optional<std::shared_ptr<const EndgameDatabases>> EndgameKeeper::endgames_unless(
    const std::function<bool()>& is_interrupted) {
    constexpr std::chrono::milliseconds interval{5};
    // Again when the options have changed while databases were being opened.
    while (open_in_background()) {
        {
            std::unique_lock lock(mutex_);
            finished_.wait_for(lock, interval, [&] { return !is_opening_in_background_; });
            if (is_open_) break;
            if (has_failed_) return std::nullopt;
        }
        if (is_interrupted()) return std::nullopt;
    }
    try {
        return endgames();  // opens them where no thread was free
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

void EndgameKeeper::prepare() {
    {
        const std::lock_guard lock(mutex_);
        if (!options_.is_on) return;
    }
    static_cast<void>(open_in_background());
}

bool EndgameKeeper::is_current(const std::shared_ptr<const EndgameDatabases>& endgames) const {
    const std::lock_guard lock(mutex_);
    return is_open_ && endgames_ == endgames;
}

/// Opens them unless they are open or being opened. False when there is no task for it.
bool EndgameKeeper::open_in_background() {
    const auto work = [self = shared_from_this()] {
        bool has_failed = false;
        try {
            static_cast<void>(self->endgames());
        } catch (...) {
            // The databases stay closed; the next report() tries again.
            has_failed = true;
        }
        const std::lock_guard lock(self->mutex_);
        self->has_failed_ = has_failed;
        self->is_opening_in_background_ = false;
        self->finished_.notify_all();
    };
    {
        const std::lock_guard lock(mutex_);
        if (is_open_ || is_opening_in_background_) return true;
        is_opening_in_background_ = true;
        has_failed_ = false;
    }
    try {
        if (run_in_background(work)) return true;
    } catch (const std::bad_alloc&) {
        // There is no memory even for the task.
    }
    const std::lock_guard lock(mutex_);
    is_opening_in_background_ = false;
    has_failed_ = true;
    return false;
}

std::vector<std::string> EndgameKeeper::report() {
    {
        const std::lock_guard lock(mutex_);
        // A search still uses the old databases; two sets could exceed the memory option.
        if (options_.is_on && !replaced_.expired()) return {"opened anew with the next move"};
    }
    static_cast<void>(open_in_background());
    std::shared_ptr<const EndgameDatabases> endgames;
    {
        std::unique_lock lock(mutex_);
        if (!options_.is_on) return {"switched off"};
        finished_.wait_for(lock, user_patience, [&] { return !is_opening_in_background_; });
        DEFIANCE_ASSERT(is_open_ || endgames_ == nullptr);
        if (!is_open_ && has_failed_) return {"cannot be opened: out of memory"};
        // The options may have changed while others were being opened.
        if (!is_open_) return {"being opened; ask again in a few seconds"};
        endgames = endgames_;
    }
    return endgames == nullptr ? std::vector<std::string>{"switched off"} : endgames->report();
}

/// A background task that describes a folder; shared by the caller and the task.
struct FolderInspector::Job {
    Contents contents;
    std::string folder;
    std::mutex mutex;  // guards the rest
    std::condition_variable finished;
    std::optional<std::string> answer;
};

FolderInspector::FolderInspector(const GameCore& core) : core_(core) {}

std::string FolderInspector::describe(Contents contents, std::string_view folder) {
    const std::lock_guard lock(mutex_);
    if (job_ != nullptr && (job_->contents != contents || job_->folder != folder)) {
        {
            const std::lock_guard job_lock(job_->mutex);
            if (!job_->answer)
                return "still looking into another folder; try again in a few seconds";
        }
        // Not before the lock is released: the mutex may go with the job.
        job_ = nullptr;
    }
    if (job_ == nullptr) {
        const auto job = std::make_shared<Job>();
        job->contents = contents;
        job->folder = folder;
        const auto work = [job, &core = core_] {
            std::string answer = "cannot be looked into: out of memory";
            try {
                answer = job->contents == Contents::databases
                             ? describe_database_folder(core, job->folder)
                             : describe_distance_folder(core.rules, job->folder);
            } catch (...) {
                // `answer` already says so.
            }
            const std::lock_guard job_lock(job->mutex);
            job->answer = std::move(answer);
            job->finished.notify_all();
        };
        if (!run_in_background(work)) return "cannot be looked into: no thread is free";
        job_ = job;
    }
    std::unique_lock job_lock(job_->mutex);
    job_->finished.wait_for(job_lock, user_patience, [&] { return job_->answer.has_value(); });
    if (!job_->answer) return "looking into it takes a while; ask again in a few seconds";
    DEFIANCE_ASSERT(job_->contents == contents && job_->folder == folder);
    std::string answer = std::move(*job_->answer);
    job_lock.unlock();
    job_ = nullptr;
    return answer;
}

std::string describe_database_folder(const GameCore& core, std::string_view folder) {
    EndgameOptions options;
    options.folder = folder;
    EndgameSettings settings = settings_for(options);
    settings.foreign_bytes = little_memory;
    if (!folder.empty()) {
        if (!folder_exists(settings.folder)) return "folder not found: " + settings.folder;
        settings.default_folders.clear();
    }
    return joined(core.open_endgames(settings)->report());
}

std::string describe_distance_folder(const GameRules& rules, std::string_view folder) {
    if (folder.empty()) return "no folder is named, so no distances of Kingsrow are used";
    EndgameOptions options;
    options.distance_folder = folder;
    const EndgameSettings settings = settings_for(options);
    if (!folder_exists(settings.distance_folder))
        return "folder not found: " + settings.distance_folder;
    const std::vector<std::string> lines = describe_distances(
        {rules.game_type, "", settings.distance_folder, find_drivers(settings.driver_folders),
         settings.max_pieces, little_memory});
    return lines.empty() ? "no endgame databases that " + std::string(rules.name) + " could use"
                         : joined(lines);
}

}  // namespace defiance
