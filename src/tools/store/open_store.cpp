#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <defiance/base/text.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/position_store.hpp>
#include <tools/store/redis_store.hpp>

namespace defiance {

bool is_server(const std::string& place) {
    constexpr std::string_view scheme = "redis:";
    return lower_case(place.substr(0, scheme.size())) == scheme;
}

std::optional<Error> find_no_server(const std::string& place) {
    if (is_server(place)) return std::nullopt;
    return Error{"--store takes redis://HOST:PORT/N, not '" + shown(place) + "'"};
}

Result<std::unique_ptr<PositionStore>> open_store(
    const std::string& place, const std::function<void(const std::string&)>& warn,
    Durability durability) {
    if (is_server(place)) {
        const Result<RedisAddress> address = read_redis_address(place);
        if (!address) return Error{address.error()};
        Result<std::unique_ptr<RedisStore>> store = RedisStore::open(*address, warn);
        if (!store) return Error{store.error()};
        return std::unique_ptr<PositionStore>(*std::move(store));
    }
    Result<std::unique_ptr<EmbeddedStore>> store = EmbeddedStore::open(place, warn, durability);
    if (!store) return Error{store.error()};
    return std::unique_ptr<PositionStore>(*std::move(store));
}

}  // namespace defiance
