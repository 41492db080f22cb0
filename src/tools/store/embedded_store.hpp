#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/result.hpp>
#include <tools/store/position_file.hpp>
#include <tools/store/position_store.hpp>
#include <tools/store/queue_file.hpp>

namespace defiance {

/// A store in the files of a folder: GAME.ckdb with the positions of a game, queue.ckdb with the
/// tasks, and a lock file, so that one program at a time uses it.
///
/// What a call has stored is with the operating system when it returns, and on the disk when
/// Durability says so or commit() returns.
class EmbeddedStore : public PositionStore {
public:
    using Warn = std::function<void(const std::string&)>;

    /// Keeps others away from the store in a folder, as an open store does, for one who only reads
    /// its files. Error: another program uses it, or the lock file cannot be created.
    static Result<LockFile> hold(const std::string& folder);

    /// Opens the store, creating folder and files where there are none. `warn` is called with a
    /// line about each file that is damaged. Error: another program uses it, or a file cannot be
    /// opened.
    static Result<std::unique_ptr<EmbeddedStore>> open(const std::string& folder, const Warn& warn,
                                                       Durability durability = Durability::group);

    ~EmbeddedStore() override;

    Result<std::optional<StoredValue>> get(StoreGame game, const PositionKey& key) override;
    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override;
    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override;
    Result<std::uint64_t> count(StoreGame game) override;
    std::optional<Error> for_each(StoreGame game, const Visit& visit) override;
    std::optional<Error> commit() override;
    std::optional<Error> failure() override;
    Result<PushOutcome> push(const StoreTask& task) override;
    Result<std::vector<TaskLease>> lease(int count, double seconds) override;
    Result<bool> complete(std::uint64_t lease) override;
    Result<bool> release(std::uint64_t lease) override;
    Result<QueueSize> queue_size() override;
    Result<TasksByGame> tasks_by_game() override;

    /// Writes the file of a game anew without values that were replaced; calls for this game wait
    /// meanwhile, about a second for a million positions. See PositionFile::compact().
    [[nodiscard]] std::optional<Error> compact(StoreGame game,
                                               const PositionFile::GoOn& go_on = {});

    /// Calls that have changed something which the disk may not have yet.
    [[nodiscard]] std::uint64_t changes_not_on_disk();

    /// Bytes of the file of a game.
    [[nodiscard]] std::uint64_t file_size(StoreGame game) const;

    /// Where the positions of a game lie in the folder of a store.
    [[nodiscard]] static std::string path_in(const std::string& folder, StoreGame game);
    /// The same of the queue.
    [[nodiscard]] static std::string queue_path_in(const std::string& folder);

private:
    /// The parts of the store that are synchronised to the disk: the games and the queue.
    static constexpr std::size_t queue_part = store_game_names.size();
    static constexpr std::size_t parts = queue_part + 1;

    EmbeddedStore(LockFile lock, Durability durability)
        : lock_(std::move(lock)), durability_(durability) {}

    [[nodiscard]] PositionFile& file_of(StoreGame game) const {
        return *files_[static_cast<std::size_t>(game)];
    }
    /// Waits for the disk where each change has to. Error: the disk has failed before, or does.
    [[nodiscard]] std::optional<Error> note_change(std::size_t part);
    [[nodiscard]] std::optional<Error> wait_for_disk(std::unique_lock<std::mutex>& lock);
    void synchronise();
    [[nodiscard]] std::optional<Error> sync_parts(const std::array<bool, parts>& changed);

    LockFile lock_;
    const Durability durability_;
    std::array<std::unique_ptr<PositionFile>, store_game_names.size()> files_;
    std::unique_ptr<QueueFile> queue_;

    std::mutex mutex_;  ///< of all that follows
    std::condition_variable wakes_;
    std::condition_variable synchronised_;
    std::array<bool, parts> changed_{};
    std::uint64_t changes_ = 0;         ///< so many were made,
    std::uint64_t safe_changes_ = 0;    ///< so many of them are on the disk
    std::uint64_t wanted_changes_ = 0;  ///< so many a commit() waits for
    std::optional<Error> failure_;      ///< of the disk; for good
    bool is_ending_ = false;
    std::thread thread_;
};

/// What a look at a file of a store has found.
struct StoreVerification {
    std::uint64_t positions = 0;  ///< or tasks
    LogReport report;
};

/// Reads the file of a game in the folder of a store without changing it, and calls `visit` for
/// each value in it, also for those that were replaced. The caller holds the store, or knows that
/// nobody uses it. Nothing when there is no such file. Error: it cannot be read as a file of a
/// store.
[[nodiscard]] Result<std::optional<StoreVerification>> verify_positions(
    const std::string& folder, StoreGame game, const PositionFile::Inspect& visit = {});

/// The same for the queue.
[[nodiscard]] Result<std::optional<StoreVerification>> verify_queue(const std::string& folder);

}  // namespace defiance
