#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include <tools/http/client.hpp>
#include <tools/posdb/board_text.hpp>

#include "service_support.hpp"

using namespace defiance;
using namespace defiance::testing;

namespace {

HttpRequest batch_of(int boards) {
    HttpRequest request = TestService::request("action=queryscore&batch=1", false);
    request.method = HttpRequest::Method::post;
    for (int i = 0; i < boards; ++i)
        request.body += "startpos\n";
    return request;
}

std::size_t lines_over_limit(const std::string& body) {
    const std::string line = "{\"status\":\"rate limit exceeded\"}\n";
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = body.find(line, at)) != std::string::npos; at += line.size())
        ++lines;
    return lines;
}

}  // namespace

TEST_CASE("a batch costs as much as its boards", "[posdb][http]") {
    TestService service;
    CHECK(service.service().cost(TestService::request("action=queryscore&board=startpos")) == 1);
    CHECK(service.service().cost(TestService::request("action=queryscore&batch=1")) == 1);
    HttpRequest request = batch_of(99);
    request.body += "startpos";
    CHECK(service.service().cost(request) == 100);
    CHECK(service.service().cost(batch_of(100)) == 100);
    CHECK(service.service().cost(batch_of(1)) == 1);
    CHECK(service.service().cost(batch_of(5000)) == 256);
    request.path = "/healthz";
    CHECK(service.service().cost(request) == 1);
}

TEST_CASE("a batch is cut short when its time is over", "[posdb][http]") {
    ServiceOptions options;
    options.batch_seconds = 0;
    TestService service(std::move(options));
    const HttpResponse response = service.service().handle(batch_of(30));
    CHECK(response.status == 200);
    CHECK(lines_over_limit(response.body) == 30);
}

TEST_CASE("a batch is cut short when the server stops", "[posdb][http]") {
    TestService service;
    std::atomic<bool> is_stopping = false;
    HttpRequest request = batch_of(30);
    request.is_server_stopping = &is_stopping;
    CHECK(lines_over_limit(service.service().handle(request).body) < 30);
    is_stopping = true;
    CHECK(lines_over_limit(service.service().handle(request).body) == 30);
}

TEST_CASE("a batch that is refused is answered in JSON", "[posdb][http]") {
    TestService service;
    for (const bool is_over_limit : {false, true})
        for (const char* query :
             {"action=nothing&batch=1", "action=queryall&variant=chess&batch=on", "batch=true"}) {
            const HttpRequest request = TestService::request(query);
            const HttpResponse response = is_over_limit ? service.service().refuse(request)
                                                        : service.service().handle(request);
            CHECK(response.body == (is_over_limit ? "{\"status\":\"rate limit exceeded\"}"
                                                  : "{\"status\":\"invalid parameters\"}"));
            CHECK(response.type == "application/json");
        }
}

TEST_CASE("a batch may be as large as the limits say", "[posdb][http]") {
    Served served;
    HttpClient client("127.0.0.1", served.server->port());
    std::string board = "startpos";
    board.resize(max_board_text, ' ');
    std::string boards;
    for (int i = 0; i < 256; ++i)
        boards += board + "\r\n";
    const auto reply = client.post("/cdb?action=queryscore&batch=1", boards, 60, "text/plain");
    REQUIRE(reply);
    CHECK(reply->status == 200);
    CHECK(std::count(reply->body.begin(), reply->body.end(), '\n') == 256);
    CHECK(reply->body.find("invalid") == std::string::npos);
}
