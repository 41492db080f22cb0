#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/engine/game_core.hpp>

namespace defiance {

inline constexpr std::int64_t max_database_mebibytes = 65536;
inline constexpr std::int64_t max_database_pieces = 24;

/// What the user can set about endgame databases.
struct EndgameOptions {
    std::string folder;            ///< dbpath: with databases; relative: to the program's folder
    std::string distance_folder;   ///< mtcpath: with distances made by others
    std::uint32_t mebibytes = 64;  ///< dbmbytes: memory for them, to max_database_mebibytes
    int max_pieces = 24;           ///< max_dbpieces: to max_database_pieces
    bool is_on = true;             ///< enable_wld: use any of them
    bool use_distances = true;     ///< enable_mtc: use those of distance_folder

    [[nodiscard]] bool operator==(const EndgameOptions&) const = default;
};

/// Opens the databases of one game when they are first wanted, and again when the options have
/// changed. Holds one set at most. Make it with std::make_shared: work in the background shares it.
///
/// Safe from several threads. Only endgames() waits for databases to be opened.
class EndgameKeeper : public std::enable_shared_from_this<EndgameKeeper> {
public:
    explicit EndgameKeeper(const GameCore& core) : core_(core) {}

    [[nodiscard]] EndgameOptions options() const;

    /// Lets go of the databases that are open unless the options are the same as before.
    void set(const EndgameOptions& options);

    /// The databases by the present options, opened if need be; null when they are switched off.
    /// Opening takes milliseconds, with databases made by others up to seconds.
    [[nodiscard]] std::shared_ptr<const EndgameDatabases> endgames();

    /// True when endgames() would return just these without opening any.
    [[nodiscard]] bool is_current(const std::shared_ptr<const EndgameDatabases>& endgames) const;

    /// What is there, for the user, one line each. Databases that are not open are opened in the
    /// background; where that takes more than a twentieth of a second, the answer says so.
    [[nodiscard]] std::vector<std::string> report();

private:
    void open_in_background();

    const GameCore& core_;
    std::mutex opening_;                // held while databases are opened; taken before mutex_
    mutable std::mutex mutex_;          // guards all below; held for moments only
    std::condition_variable finished_;  // work in the background has ended
    EndgameOptions options_;
    bool is_open_ = false;  // endgames_ is what the present options lead to
    bool is_opening_in_background_ = false;
    std::shared_ptr<const EndgameDatabases> endgames_;
    std::weak_ptr<const EndgameDatabases> replaced_;  // of earlier options, maybe still in use
};

/// Looks into folders for the user without making him wait: one folder at a time, on another
/// thread. Safe from several threads.
class FolderInspector {
public:
    enum class Contents { databases, distances };

    explicit FolderInspector(const GameCore& core);

    /// What the folder holds that this game can use; empty `folder`: what is found without one.
    /// Where looking takes more than a twentieth of a second, the answer is to ask again; the next
    /// call for the same folder then has the result.
    [[nodiscard]] std::string describe(Contents contents, std::string_view folder);

private:
    struct Job;

    const GameCore& core_;
    std::mutex mutex_;          // guards job_
    std::shared_ptr<Job> job_;  // under way, or done and not told yet; null: none
};

/// What a folder holds that this game can use, for the user; without a folder, what is found by
/// itself. Opens it, which may take seconds.
[[nodiscard]] std::string describe_database_folder(const GameCore& core, std::string_view folder);

/// The same for distances made by others, of which none are found by themselves.
[[nodiscard]] std::string describe_distance_folder(const GameRules& rules, std::string_view folder);

}  // namespace defiance
