#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/store/game_position.hpp>
#include <tools/store/position_store.hpp>
#include <tools/store/record_log.hpp>

namespace defiance {

/// A view of a store that makes several updates as one: a program that is ended in the middle of
/// them has made all or none when it begins again.
///
/// Updates are kept in memory, where this view sees them, until end_group() writes them into a file
/// and then into the store. For one thread.
class GroupedStore : public PositionStore {
public:
    /// Keeps a reference. `journal` is the path of the file; what an ended program has left in it
    /// is made up for, but for positions that others have changed since: they stay as they are.
    /// Error: of the store, or the file cannot be used.
    static Result<std::unique_ptr<GroupedStore>> open(PositionStore& store,
                                                      const std::string& journal);

    /// Makes the updates since the last call. False: another program has changed a position of the
    /// group meanwhile; some of the updates may be in the store, the others are dropped.
    [[nodiscard]] Result<bool> end_group();

    Result<std::optional<StoredValue>> get(StoreGame game, const PositionKey& key) override;
    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override;
    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override;
    /// Counts what is in the store itself; for_each() visits that.
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

private:
    /// What is to be stored of a position.
    struct Pending {
        StoredValue value;
        std::uint32_t version_in_store = 0;
    };

    GroupedStore(PositionStore& store, RecordLog journal)
        : store_(store), journal_(std::move(journal)) {}

    [[nodiscard]] std::optional<Error> write_journal();

    PositionStore& store_;
    RecordLog journal_;
    std::unordered_map<GamePosition, Pending, GamePositionHash> pending_;
};

/// Makes up for what the making of books has left in a folder with a store: a program that does so
/// before it stores anything finds all or none of each group. Error: as of GroupedStore::open().
[[nodiscard]] std::optional<Error> make_up_for_journals(PositionStore& store,
                                                        const std::string& folder);

}  // namespace defiance
