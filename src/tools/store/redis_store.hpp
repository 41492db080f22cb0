#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/store/position_store.hpp>
#include <tools/store/redis_client.hpp>

namespace defiance {

/// A store in a Redis server, or another one with its protocol and Lua scripts. Several programs
/// may use it at the same time: whatever changes more than one thing is a script, which the server
/// runs without interruption.
///
/// The positions of a game are the fields of one hash, defiance:GAME: the key in 12 bytes, and as
/// value the version in digits, ':' and the value. The queue lies in the keys defiance:{queue}:*.
///
/// How safe an acknowledged change is depends on the settings of the server: with "appendonly yes"
/// and "appendfsync always" neither its end nor a power failure loses one; with "appendfsync
/// everysec", its default, both may lose the last two seconds.
class RedisStore : public PositionStore {
public:
    /// Connects to the server. `warn` is called with a line when the server does not keep what it
    /// has. Error: it cannot be reached or is none.
    static Result<std::unique_ptr<RedisStore>> open(
        const RedisAddress& address, const std::function<void(const std::string&)>& warn);

    Result<std::optional<StoredValue>> get(StoreGame game, const PositionKey& key) override;
    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override;
    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override;
    Result<std::uint64_t> count(StoreGame game) override;
    std::optional<Error> for_each(StoreGame game, const Visit& visit) override;
    /// Only asks whether the server is there: it does what its own settings say.
    std::optional<Error> commit() override;
    Result<PushOutcome> push(const StoreTask& task) override;
    Result<std::vector<TaskLease>> lease(int count, double seconds) override;
    Result<bool> complete(std::uint64_t lease) override;
    Result<bool> release(std::uint64_t lease) override;
    Result<QueueSize> queue_size() override;
    Result<TasksByGame> tasks_by_game() override;

private:
    explicit RedisStore(const RedisAddress& address) : client_(address) {}

    [[nodiscard]] Error strange_reply() const;
    [[nodiscard]] Result<std::optional<StoredValue>> value_of(const RespValue& reply) const;
    [[nodiscard]] Result<RespValue> call_queue(std::string_view script,
                                               std::initializer_list<std::string_view> arguments);
    [[nodiscard]] Result<std::int64_t> call_queue_for_number(
        std::string_view script, std::initializer_list<std::string_view> arguments);

    /// Calls visit(field, value) for each pair of a hash until it returns an error.
    using VisitPair = std::function<std::optional<Error>(const RespValue&, const RespValue&)>;
    [[nodiscard]] std::optional<Error> scan(std::string_view hash, const VisitPair& visit);

    RedisClient client_;
};

}  // namespace defiance
