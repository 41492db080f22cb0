#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// The games a store keeps apart. The numbers are in files and on Redis servers: a new game goes to
/// the end, and none is removed.
enum class StoreGame : std::uint8_t { english, italian, spanish, russian, brazilian, czech };
inline constexpr std::array<std::string_view, 6> store_game_names = {
    "english", "italian", "spanish", "russian", "brazilian", "czech"};
static_assert(static_cast<std::size_t>(StoreGame::czech) + 1 == store_game_names.size());

[[nodiscard]] constexpr std::string_view name_of(StoreGame game) {
    return store_game_names[static_cast<std::size_t>(game)];
}

/// A position as its mover sees it: the squares of the mover's pieces, of the other side's, and of
/// all kings. To a store it is any 96 bits.
struct PositionKey {
    std::uint32_t own = 0;
    std::uint32_t other = 0;
    std::uint32_t kings = 0;

    friend bool operator==(const PositionKey&, const PositionKey&) = default;
};

/// What is stored of a position.
struct StoredValue {
    std::string bytes;
    /// 1 for the first value of a position and one more for each that replaces it.
    std::uint32_t version = 0;
};

enum class UpdateOutcome {
    stored,
    conflict  ///< the position has another version: somebody else was faster
};

/// Work on a position that somebody is to do.
struct StoreTask {
    StoreGame game = StoreGame::english;
    PositionKey key;
    int priority = 0;  ///< 0 to max_task_priority; the highest is leased first
    std::string note;  ///< any bytes, at most max_task_note
};

/// A task that was given out for a time.
struct TaskLease {
    std::uint64_t id = 0;  ///< never 0; used once
    StoreTask task;
};

enum class PushOutcome {
    queued,
    already_queued,  ///< waits or is leased; its priority was raised if the new one is higher
    full             ///< too many tasks wait
};

struct QueueSize {
    std::uint64_t waiting = 0;
    std::uint64_t leased = 0;
};

/// By StoreGame.
using TasksByGame = std::array<std::uint64_t, store_game_names.size()>;

inline constexpr std::size_t max_stored_value = 16384;
inline constexpr std::size_t max_task_note = 1024;
inline constexpr int max_task_priority = 9;

/// Positions with what is known of them, and a queue of work. Any threads may use it at any time.
///
/// Every call may fail when the medium or the server of the store does; the error is one line.
/// After an error of an update, push or complete it is not known whether it was done; to do it
/// again is safe, because an update that was done conflicts.
class PositionStore {
public:
    virtual ~PositionStore() = default;

    /// The value of a position; nothing when there is none.
    [[nodiscard]] virtual Result<std::optional<StoredValue>> get(StoreGame game,
                                                                 const PositionKey& key) = 0;
    /// The values of many, in the same order.
    [[nodiscard]] virtual Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) = 0;

    /// Stores the value if the position has the version `expected` (0: if it has none yet). Of
    /// several updates that expect the same version one is stored. `value` has 1 to
    /// max_stored_value bytes.
    [[nodiscard]] virtual Result<UpdateOutcome> update(StoreGame game, const PositionKey& key,
                                                       std::uint32_t expected,
                                                       std::string_view value) = 0;

    /// Positions of the game.
    [[nodiscard]] virtual Result<std::uint64_t> count(StoreGame game) = 0;

    /// Calls visit(key, value) for each position of the game in any order until it returns false.
    /// What is stored meanwhile may be visited or not, and others then perhaps twice. `visit` may
    /// use the store.
    using Visit = std::function<bool(const PositionKey&, const StoredValue&)>;
    [[nodiscard]] virtual std::optional<Error> for_each(StoreGame game, const Visit& visit) = 0;

    /// Waits until all that calls before this one have changed would survive a power failure, as
    /// far as a server can promise it. The end of this program by any cause loses nothing that a
    /// call has returned from.
    [[nodiscard]] virtual std::optional<Error> commit() = 0;

    /// Why nothing can be stored until the store is opened again; what it has may still be read.
    /// Nothing where it is worth while to try, as with a server.
    [[nodiscard]] virtual std::optional<Error> failure() { return std::nullopt; }

    /// Puts a task into the queue, unless one of this position is there.
    [[nodiscard]] virtual Result<PushOutcome> push(const StoreTask& task) = 0;

    /// Gives out up to `count` tasks, those of the highest priority first, of one priority the
    /// oldest. A task whose lease is not over in `seconds` waits again.
    [[nodiscard]] virtual Result<std::vector<TaskLease>> lease(int count, double seconds) = 0;

    /// The task is done and leaves the queue. False when the lease has run out; the task may then
    /// be with somebody else.
    [[nodiscard]] virtual Result<bool> complete(std::uint64_t lease) = 0;

    /// The task waits again. False as before.
    [[nodiscard]] virtual Result<bool> release(std::uint64_t lease) = 0;

    [[nodiscard]] virtual Result<QueueSize> queue_size() = 0;

    /// Tasks of each game, waiting or leased. It takes a while when there are many; what is pushed
    /// or completed meanwhile may count or not.
    [[nodiscard]] virtual Result<TasksByGame> tasks_by_game() = 0;
};

/// When what was stored is on the disk, so that a power failure cannot take it. The end of the
/// program by any cause loses nothing in any case.
enum class Durability {
    sync,   ///< before the call returns
    group,  ///< a fifth of a second later, with all that was stored meanwhile
    os      ///< when the operating system chooses, or commit() is called
};

/// True when `place` names a server and no folder.
[[nodiscard]] bool is_server(const std::string& place);

/// Why the text of an option --store names no server; nothing when it does, or seems to.
[[nodiscard]] std::optional<Error> find_no_server(const std::string& place);

/// Opens the store that `place` names: redis://[:password@]host[:port][/number] or else a folder,
/// which is created when there is none. `warn` is called with a line about anything that is not
/// right but does not keep the store from working. A server has a durability of its own. Error: why
/// it cannot be opened.
[[nodiscard]] Result<std::unique_ptr<PositionStore>> open_store(
    const std::string& place, const std::function<void(const std::string&)>& warn,
    Durability durability = Durability::group);

}  // namespace defiance
