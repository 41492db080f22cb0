#include <defiance/engine/folder_inspector.hpp>

#include <condition_variable>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/background.hpp>
#include <defiance/base/file.hpp>
#include <defiance/egdb/foreign.hpp>

#include "endgame_settings.hpp"

namespace defiance {
namespace {

/// For databases made by others that are only described.
constexpr std::uint64_t little_memory = std::uint64_t{1} << 20;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

}  // namespace

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
        // Built before the task: if that failed within it, the job would never have an answer.
        const auto work = [job, &core = core_,
                           answer = std::string("cannot be looked into: out of memory")]() mutable {
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
