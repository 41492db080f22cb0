#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <defiance/engine/game_core.hpp>

namespace defiance {

/// Describes folders for the user without blocking: one folder at a time, on another thread. Safe
/// from several threads.
class FolderInspector {
public:
    enum class Contents { databases, distances };

    explicit FolderInspector(const GameCore& core);

    /// The databases in the folder that this game can use; empty `folder`: those found by default.
    /// If that takes more than a twentieth of a second, the answer is to ask again; a later call
    /// for the same folder then returns the result.
    [[nodiscard]] std::string describe(Contents contents, std::string_view folder);

private:
    struct Job;

    const GameCore& core_;
    std::mutex mutex_;          // guards job_
    std::shared_ptr<Job> job_;  // running, or done and not yet returned; null: none
};

/// The databases in a folder that this game can use, for the user; without a folder, those found by
/// default. Opens them, which may take seconds.
[[nodiscard]] std::string describe_database_folder(const GameCore& core, std::string_view folder);

/// The same for foreign distance databases, none of which are found by default.
[[nodiscard]] std::string describe_distance_folder(const GameRules& rules, std::string_view folder);

}  // namespace defiance
