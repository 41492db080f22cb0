#include <tools/store/redis_client.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/http/client.hpp>
#include <tools/http/message.hpp>
#include <tools/http/reply_parser.hpp>

namespace defiance {
namespace {

constexpr std::size_t max_idle = 64;
/// After a connection could not be made, none is tried for this time.
constexpr std::chrono::milliseconds pause_after_failure(200);

}  // namespace

std::string RedisAddress::shown_name() const {
    const std::string place = host.find(':') == std::string::npos ? host : '[' + host + ']';
    return "the Redis server " + place + ':' + std::to_string(port);
}

Result<RedisAddress> read_redis_address(std::string_view text) {
    const Error no_address{"a Redis server is named redis://host:port/number"};
    constexpr std::string_view scheme = "redis://";
    if (lower_case(text.substr(0, scheme.size())) != scheme) return no_address;
    text.remove_prefix(scheme.size());
    RedisAddress address;
    if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
        const std::string_view login = text.substr(0, at);
        const std::size_t colon = login.find(':');
        if (colon == std::string_view::npos) return no_address;
        auto user = percent_decoded(login.substr(0, colon), false);
        auto password = percent_decoded(login.substr(colon + 1), false);
        if (!user || !password) return no_address;
        address.user = *std::move(user);
        address.password = *std::move(password);
        text.remove_prefix(at + 1);
    }
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string place(text.substr(0, slash));
    // Host and port are written as in any URL.
    const Result<HttpUrl> url = read_url("http://" + place);
    if (!url || url->path != "/" || place.find_first_of("?#") != std::string::npos)
        return no_address;
    address.host = url->host;
    const bool has_port = place.rfind(':') != std::string::npos && place.back() != ']';
    if (has_port) address.port = url->port;
    const std::string_view number = text.substr(std::min(slash + 1, text.size()));
    if (!number.empty()) {
        const auto database = parse_integer(number, 0, 1'000'000);
        if (!database) return no_address;
        address.database = static_cast<int>(*database);
    }
    return address;
}

Error RedisClient::error_of(const std::string& problem) const {
    return {address_.shown_name() + ' ' + problem};
}

Result<RespValue> RedisClient::exchange(Socket& socket, const std::string& command) const {
    const TimeLeft left(address_.reply_seconds);
    if (!socket.write(command, left.seconds()))
        return error_of(left.seconds() <= 0 ? "did not answer in time"
                                            : "has closed the connection");
    RespParser parser;
    std::string input;
    for (;;) {
        input.clear();
        const Socket::Read read = socket.read(input, left.seconds());
        if (read == Socket::Read::closed) return error_of("has closed the connection");
        if (read == Socket::Read::too_late || left.seconds() <= 0)
            return error_of("did not answer in time");
        const RespParser::State state = parser.feed(input);
        if (state == RespParser::State::malformed ||
            (state == RespParser::State::ready && parser.has_more()))
            return error_of("does not speak the protocol of Redis");
        if (state == RespParser::State::ready) return parser.take();
    }
}

std::optional<Error> RedisClient::log_in(Socket& socket) const {
    std::vector<std::string> commands;
    if (!address_.password.empty() && address_.user.empty())
        commands.push_back(resp_command(std::vector<std::string_view>{"AUTH", address_.password}));
    if (!address_.password.empty() && !address_.user.empty())
        commands.push_back(
            resp_command(std::vector<std::string_view>{"AUTH", address_.user, address_.password}));
    const std::string database = std::to_string(address_.database);
    if (address_.database != 0)
        commands.push_back(resp_command(std::vector<std::string_view>{"SELECT", database}));
    for (const std::string& command : commands) {
        const Result<RespValue> reply = exchange(socket, command);
        if (!reply) return Error{reply.error()};
        if (reply->kind == RespValue::Kind::error)
            return error_of("refuses the login: " + shown(reply->text, 200));
    }
    return std::nullopt;
}

Result<Socket> RedisClient::connect() const {
    Result<Socket> made = Socket::connect(address_.host, address_.port, address_.connect_seconds);
    if (!made) return error_of("cannot be reached: " + made.error());
    Socket socket = *std::move(made);
    if (std::optional<Error> problem = log_in(socket)) return *problem;
    return socket;
}

Result<Socket> RedisClient::take_connection() {
    {
        const std::lock_guard lock(mutex_);
        while (!idle_.empty()) {
            Socket socket = std::move(idle_.back());
            idle_.pop_back();
            // Not one that the server has closed meanwhile.
            if (socket.is_quiet()) return socket;
        }
        if (last_failure_ && Clock::now() < try_again_) return *last_failure_;
    }
    Result<Socket> socket = connect();
    const std::lock_guard lock(mutex_);
    last_failure_.reset();
    if (!socket) {
        last_failure_ = Error{socket.error()};
        try_again_ = Clock::now() + pause_after_failure;
    }
    return socket;
}

Result<RespValue> RedisClient::call_command(const std::string& command) {
    Result<Socket> taken = take_connection();
    if (!taken) return Error{taken.error()};
    Socket socket = *std::move(taken);
    Result<RespValue> reply = exchange(socket, command);
    if (!reply) return reply;
    {
        const std::lock_guard lock(mutex_);
        if (idle_.size() < max_idle) idle_.push_back(std::move(socket));
    }
    if (reply->kind == RespValue::Kind::error)
        return error_of("answers: " + shown(reply->text, 200));
    return reply;
}

Result<RespValue> RedisClient::call(std::initializer_list<std::string_view> words) {
    return call_command(resp_command({words.begin(), words.size()}));
}

Result<RespValue> RedisClient::call(const std::vector<std::string_view>& words) {
    return call_command(resp_command(words));
}

}  // namespace defiance
