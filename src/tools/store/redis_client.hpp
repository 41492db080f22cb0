#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/base/socket.hpp>
#include <tools/store/resp_parser.hpp>

namespace defiance {

/// Where a Redis server is and how it is used.
struct RedisAddress {
    std::string host;
    std::uint16_t port = 6379;
    std::string user;      ///< empty: the default one
    std::string password;  ///< empty: none
    int database = 0;

    double connect_seconds = 2;  ///< for a connection to be made
    double reply_seconds = 5;    ///< for a reply to a command

    /// The address for a message, without the password.
    [[nodiscard]] std::string shown_name() const;
};

/// Reads redis://[[user]:password@]host[:port][/number]; user and password percent-encoded. Error:
/// what is wrong with it, without the password.
[[nodiscard]] Result<RedisAddress> read_redis_address(std::string_view text);

/// Sends commands to a Redis server over connections that it keeps, as many as there are threads
/// that wait for replies. Any threads may use it. A server that has gone and comes back is used
/// again; while it is away, calls fail within the times of the address, most of them at once.
class RedisClient {
public:
    explicit RedisClient(RedisAddress address) : address_(std::move(address)) {}

    /// The reply to a command. Error: the server cannot be reached, has gone before it replied (the
    /// command may have been carried out then), or replied with an error.
    [[nodiscard]] Result<RespValue> call(std::initializer_list<std::string_view> words);
    [[nodiscard]] Result<RespValue> call(const std::vector<std::string_view>& words);

    [[nodiscard]] const RedisAddress& address() const { return address_; }

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] Result<RespValue> call_command(const std::string& command);
    [[nodiscard]] Result<Socket> take_connection();
    [[nodiscard]] Result<Socket> connect() const;
    [[nodiscard]] std::optional<Error> log_in(Socket& socket) const;
    [[nodiscard]] Result<RespValue> exchange(Socket& socket, const std::string& command) const;
    [[nodiscard]] Error error_of(const std::string& problem) const;

    RedisAddress address_;
    std::mutex mutex_;  ///< of all that follows
    std::vector<Socket> idle_;
    std::optional<Error> last_failure_;  ///< of connecting
    Clock::time_point try_again_;        ///< when there was one
};

}  // namespace defiance
