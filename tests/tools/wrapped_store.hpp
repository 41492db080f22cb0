#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <tools/store/position_store.hpp>

namespace defiance {

/// A store that hands everything on to another one, to be made to fail in one way or another.
class WrappedStore : public PositionStore {
public:
    explicit WrappedStore(PositionStore& store) : store_(store) {}

    Result<std::optional<StoredValue>> get(StoreGame game, const PositionKey& key) override {
        return store_.get(game, key);
    }
    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override {
        return store_.get_many(game, keys);
    }
    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override {
        return store_.update(game, key, expected, value);
    }
    Result<std::uint64_t> count(StoreGame game) override { return store_.count(game); }
    std::optional<Error> for_each(StoreGame game, const Visit& visit) override {
        return store_.for_each(game, visit);
    }
    std::optional<Error> commit() override { return store_.commit(); }
    std::optional<Error> failure() override { return store_.failure(); }
    Result<PushOutcome> push(const StoreTask& task) override { return store_.push(task); }
    Result<std::vector<TaskLease>> lease(int count, double seconds) override {
        return store_.lease(count, seconds);
    }
    Result<bool> complete(std::uint64_t lease) override { return store_.complete(lease); }
    Result<bool> release(std::uint64_t lease) override { return store_.release(lease); }
    Result<QueueSize> queue_size() override { return store_.queue_size(); }
    Result<TasksByGame> tasks_by_game() override { return store_.tasks_by_game(); }

private:
    PositionStore& store_;
};

}  // namespace defiance
