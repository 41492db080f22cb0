#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/socket.hpp>
#include <tools/http/rate_limiter.hpp>
#include <tools/http/request_parser.hpp>
#include <tools/http/server.hpp>

namespace defiance {

/// What all connections of a server share.
struct ServerState {
    ServerState(const HttpServerOptions& server_options, HttpHandler& server_handler)
        : options(server_options),
          handler(server_handler),
          limiter(options.requests_per_second, options.request_burst) {}

    const HttpServerOptions options;
    HttpHandler& handler;
    RateLimiter limiter;
    std::atomic<bool> is_stopping = false;
    std::atomic<std::uint64_t> requests = 0;
    std::atomic<std::uint64_t> malformed = 0;
    std::atomic<std::uint64_t> over_limit = 0;
};

/// The name or address in a Host header, in lower case and without the port and a point at its end.
/// Nothing when the port is none.
[[nodiscard]] std::optional<std::string> name_in_host(std::string_view host);

/// Whether the text, as name_in_host() gives it, may be the name of a machine.
[[nodiscard]] bool is_machine_name(std::string_view name);

/// True when a page from elsewhere cannot have led a browser here under this Host header: it is
/// empty, a numeric address, localhost or one of the server's own names.
[[nodiscard]] bool is_own_host(const std::string& host, const HttpServerOptions& options);

/// Answers the requests of one connection until it ends.
class Connection {
public:
    Connection(ServerState& server, Socket& socket)
        : server_(server), socket_(socket), parser_(server.options.limits) {}

    /// Returns when the client or an error has ended the connection or the server stops.
    void serve();

private:
    enum class Next { go_on, end };

    Next answer_what_has_come();
    Next read_more();
    Next give_up_waiting();
    [[nodiscard]] HttpResponse respond(const HttpRequest& request);
    [[nodiscard]] double seconds_to_wait(const HttpRequest& request);
    [[nodiscard]] HttpResponse call_handler(const HttpRequest& request);
    void answer(HttpRequest request);
    void refuse(int status);
    [[nodiscard]] bool flush();
    void linger();

    ServerState& server_;
    Socket& socket_;
    RequestParser parser_;
    std::string input_;
    std::string output_;
    bool is_closing_ = false;
};

}  // namespace defiance
