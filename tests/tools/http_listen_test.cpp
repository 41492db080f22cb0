#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/socket.hpp>
#include <tools/http/server.hpp>

using namespace defiance;

namespace {

/// Answers all with nothing.
class SilentHandler : public HttpHandler {
public:
    HttpResponse handle(const HttpRequest&) override { return {}; }
};

HttpServerOptions options_to_listen_at(std::vector<std::string> addresses, std::uint16_t port) {
    HttpServerOptions options;
    options.addresses = std::move(addresses);
    options.port = port;
    return options;
}

}  // namespace

TEST_CASE("a port that is taken is an error with its name", "[http]") {
    SilentHandler handler;
    const auto first = HttpServer::start(options_to_listen_at({"127.0.0.1"}, 0), handler);
    REQUIRE(first);
    const std::uint16_t port = (*first)->port();
    const auto second = HttpServer::start(options_to_listen_at({"127.0.0.1"}, port), handler);
    REQUIRE_FALSE(second);
    CHECK(second.error() ==
          "cannot listen at 127.0.0.1 port " + std::to_string(port) + ": the port is in use");
    CHECK_FALSE(HttpServer::start(options_to_listen_at({}, port), handler));
}

TEST_CASE("a port that is taken at the address of IPv6 only is an error too", "[http]") {
    const Result<Listener> taken = Listener::open("::1", 0);
    if (!taken) {
        WARN("skipped: this machine has no IPv6 (" + taken.error() + ")");
        return;
    }
    SilentHandler handler;
    const std::uint16_t port = taken->port();
    const auto server =
        HttpServer::start(options_to_listen_at({"127.0.0.1", "::1"}, port), handler);
    REQUIRE_FALSE(server);
    CHECK(server.error().ends_with(" port " + std::to_string(port) + ": the port is in use"));
    // Where any port will do, there is one that is free at both.
    const auto other = HttpServer::start(options_to_listen_at({"127.0.0.1", "::1"}, 0), handler);
    REQUIRE(other);
    CHECK(Socket::connect("::1", (*other)->port(), 5));
}
