// What limits those who ask from another machine: here an address of this one that is not a
// loopback address stands for them.

#include <catch2/catch.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/text.hpp>
#include <tools/http/client.hpp>
#include <tools/http/server.hpp>

#ifndef _WIN32
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#endif

using namespace defiance;

namespace {

/// An IPv4 address of this machine that is no loopback address; empty when there is none, and on
/// Windows, where nobody looks for one.
std::string address_in_network() {
    std::string found;
#ifndef _WIN32
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return found;
    for (const ifaddrs* entry = all; entry != nullptr && found.empty(); entry = entry->ifa_next) {
        const bool is_up = (entry->ifa_flags & IFF_UP) != 0;
        const bool is_loopback = (entry->ifa_flags & IFF_LOOPBACK) != 0;
        if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET || !is_up ||
            is_loopback)
            continue;
        sockaddr_in address;
        std::memcpy(&address, entry->ifa_addr, sizeof address);
        char text[INET_ADDRSTRLEN];
        if (inet_ntop(AF_INET, &address.sin_addr, text, sizeof text) != nullptr) found = text;
    }
    freeifaddrs(all);
#endif
    return found;
}

/// Has pages that are free and pages that are dear.
class PricedHandler : public HttpHandler {
public:
    HttpResponse handle(const HttpRequest&) override {
        HttpResponse response;
        response.body = "answered";
        return response;
    }
    bool is_limited(const HttpRequest& request) const override { return request.path != "/free"; }
    int cost(const HttpRequest& request) const override { return request.path == "/dear" ? 3 : 1; }
    HttpResponse refuse(const HttpRequest&) override { return http_failure(429, "slowly"); }
};

/// A server at the address and at that of the machine itself, which has a bucket of four requests
/// that hardly fills again.
std::unique_ptr<HttpServer> start_limited(const std::string& address, HttpHandler& handler) {
    HttpServerOptions options;
    options.addresses = {address, "127.0.0.1"};
    options.requests_per_second = 0.01;
    options.request_burst = 4;
    options.max_connections_per_address = 2;
    auto started = HttpServer::start(options, handler);
    INFO((started ? "" : started.error()));
    REQUIRE(started);
    return *std::move(started);
}

int status_at(HttpClient& client, const std::string& path) {
    const Result<HttpReply> reply = client.get(path, 20);
    INFO((reply ? "" : reply.error()));
    REQUIRE(reply);
    return reply->status;
}

}  // namespace

TEST_CASE("who asks from elsewhere asks so often, and so much, and no more", "[http]") {
    const std::string address = address_in_network();
    if (address.empty()) {
        WARN("this machine has no address in a network");
        return;
    }
    PricedHandler handler;
    const auto server = start_limited(address, handler);
    HttpClient client(address, server->port());
    for (int i = 0; i < 9; ++i)
        CHECK(status_at(client, "/free") == 200);
    CHECK(status_at(client, "/dear") == 200);
    CHECK(status_at(client, "/") == 200);
    CHECK(server->counts().over_limit == 0);
    const Result<HttpReply> refused = client.get("/", 20);
    REQUIRE(refused);
    CHECK(refused->status == 429);
    CHECK(refused->body.find("slowly") != std::string::npos);
    const auto wait = parse_integer(refused->header("retry-after").value_or(""), 1, 100);
    CHECK(wait);
    CHECK(server->counts().over_limit == 1);
    CHECK(server->counts().requests == 11);
    CHECK(status_at(client, "/free") == 200);
    HttpClient local("127.0.0.1", server->port());
    for (int i = 0; i < 9; ++i)
        CHECK(status_at(local, "/dear") == 200);
    CHECK(server->counts().over_limit == 1);
}

TEST_CASE("one address elsewhere gets so many connections and no more", "[http]") {
    const std::string address = address_in_network();
    if (address.empty()) {
        WARN("this machine has no address in a network");
        return;
    }
    PricedHandler handler;
    const auto server = start_limited(address, handler);
    std::vector<HttpClient> clients;
    for (int i = 0; i < 2; ++i) {
        clients.emplace_back(address, server->port());
        CHECK(status_at(clients.back(), "/free") == 200);
    }
    HttpClient another(address, server->port());
    CHECK(status_at(another, "/free") == 503);
    CHECK(server->counts().refused_busy == 1);
    // The machine itself has no such limit.
    std::vector<HttpClient> locals;
    for (int i = 0; i < 4; ++i) {
        locals.emplace_back("127.0.0.1", server->port());
        CHECK(status_at(locals.back(), "/free") == 200);
    }
    CHECK(server->counts().refused_busy == 1);
    CHECK(server->counts().open == 6);
}
