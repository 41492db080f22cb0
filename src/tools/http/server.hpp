#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/http/message.hpp>
#include <tools/http/request_parser.hpp>

namespace defiance {

/// What answers the requests of an HttpServer. Called on several threads at the same time.
class HttpHandler {
public:
    virtual ~HttpHandler() = default;

    /// The reply to GET, HEAD (as GET; the server leaves the body out) and POST. An exception is
    /// answered with 500. Must return in a time that the user will wait for when the server stops.
    [[nodiscard]] virtual HttpResponse handle(const HttpRequest& request) = 0;

    /// Whether the request counts for the limit of requests a second; not asked for those from
    /// this machine, which never do.
    [[nodiscard]] virtual bool is_limited(const HttpRequest&) const { return true; }

    /// As how many requests it counts for that limit, at least 1.
    [[nodiscard]] virtual int cost(const HttpRequest&) const { return 1; }

    /// The reply to a request beyond that limit; the server adds Retry-After.
    [[nodiscard]] virtual HttpResponse refuse(const HttpRequest&) { return http_failure(429); }
};

struct HttpServerOptions {
    /// Numeric addresses to listen at. When this machine has no IPv6, "::1" is left out.
    std::vector<std::string> addresses = {"127.0.0.1", "::1"};
    std::uint16_t port = 0;  ///< 0: a free one
    /// The names of this machine that a Host header may have besides localhost and numeric
    /// addresses, as name_in_host() gives them. Others are refused with 403: a page from elsewhere
    /// could have given its own name the address of this machine (DNS rebinding).
    std::vector<std::string> host_names;
    /// The origin, such as "https://example.org" or "*", whose pages may read the replies.
    std::string cors_origin;

    HttpLimits limits;
    double keep_alive_seconds = 30;  ///< for the next request to begin
    double head_seconds = 5;         ///< for the rest of its line and headers; beyond: 408
    double body_seconds = 10;        ///< for its body; beyond: 408
    double write_seconds = 10;       ///< for the client to take a reply

    int max_connections = 256;  ///< each has a thread; beyond: 503
    /// Of one address or IPv6 network of 64 bits; not for those from this machine.
    int max_connections_per_address = 32;
    double requests_per_second = 5;  ///< for one address, not of this machine; 0: any
    double request_burst = 20;       ///< at once after a pause
};

/// What a server has done since it was started.
struct HttpServerCounts {
    std::uint64_t connections = 0;   ///< accepted, those that were refused included
    std::uint64_t open = 0;          ///< connections that are open
    std::uint64_t requests = 0;      ///< handled
    std::uint64_t malformed = 0;     ///< requests refused as malformed, too large or too slow
    std::uint64_t over_limit = 0;    ///< requests refused as too many a second
    std::uint64_t refused_busy = 0;  ///< connections refused with 503
};

/// An HTTP/1.1 server with a thread for each connection. Its threads are gone when it is destroyed.
class HttpServer {
public:
    /// Listens and begins to serve. The handler must outlive the server. Error: one line, such as
    /// that the port is taken.
    static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options,
                                                     HttpHandler& handler);

    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    ~HttpServer();

    /// Accepts nothing more, answers what has arrived, and returns when all connections are closed.
    /// Clients that do not take their reply are cut off after a second. May be called from any
    /// thread but those of the handler, and more than once.
    void stop();

    /// The port it listens at.
    [[nodiscard]] std::uint16_t port() const;

    [[nodiscard]] HttpServerCounts counts() const;

private:
    class Core;
    explicit HttpServer(std::unique_ptr<Core> core);

    std::unique_ptr<Core> core_;
};

}  // namespace defiance
