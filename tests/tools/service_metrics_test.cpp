#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <utility>

#include <tools/http/client.hpp>

#include "service_support.hpp"

using namespace defiance;
using defiance::testing::TestService;

TEST_CASE("the metrics can be asked for before the service has its server", "[posdb][http]") {
    TestService service;
    HttpServerOptions options;
    options.addresses = {"127.0.0.1"};
    auto started = HttpServer::start(options, service.service());
    REQUIRE(started);
    const std::unique_ptr<HttpServer> server = *std::move(started);
    HttpClient client("127.0.0.1", server->port());
    const auto tells = [&](const std::string& requests) {
        const Result<HttpReply> reply = client.get("/metrics", 20);
        REQUIRE(reply);
        return reply->body.find("\ndefiance_http_requests_total " + requests + '\n') !=
               std::string::npos;
    };
    CHECK(tells("0"));
    service.service().set_http_server(*server);
    CHECK(tells("2"));
}
