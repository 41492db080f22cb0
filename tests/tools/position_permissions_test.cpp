#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "service_support.hpp"

using namespace defiance;
using defiance::testing::TestService;

TEST_CASE("only those who may can write", "[posdb]") {
    ServiceOptions options;
    options.store = Permission::everybody;
    TestService service(options);
    const std::string queue = "action=queue&board=startpos";
    const std::string store = "action=store&board=startpos&move=9-13";
    const auto ask = [&](HttpRequest request, const std::string& header = "",
                         const std::string& value = "") {
        if (!header.empty()) request.headers.push_back({header, value});
        return service.service().handle(request).body;
    };
    CHECK(ask(TestService::request(queue, false)) == "permission denied");
    CHECK(ask(TestService::request(store, false)) == "ok");
    for (const std::string site : {"cross-site", "same-site"})
        CHECK(ask(TestService::request(queue), "sec-fetch-site", site) == "permission denied");
    CHECK(ask(TestService::request(queue), "origin", "https://example.org") == "permission denied");
    CHECK(ask(TestService::request(queue), "origin", "http://127.0.0.1:8032") == "ok");
    CHECK(ask(TestService::request(queue), "sec-fetch-site", "same-origin") == "ok");
}

TEST_CASE("no action that writes is done for a page from elsewhere", "[posdb]") {
    ServiceOptions options;
    options.queue = Permission::everybody;
    options.store = Permission::everybody;
    TestService service(std::move(options));
    int writes = 0;
    for (const ApiActionKind& kind : api_action_kinds) {
        if (!kind.writes) continue;
        ++writes;
        INFO(kind.name);
        HttpRequest request = TestService::request("action=" + std::string(kind.name) +
                                                   "&board=startpos&move=9-13&count=1");
        request.headers.push_back({"sec-fetch-site", "cross-site"});
        // A page that had the token of a worker would have the secret.
        CHECK(service.service().handle(request).body ==
              (kind.is_of_workers ? "tokenerror" : "permission denied"));
        CHECK(service.waiting() == 0);
    }
    CHECK(writes >= 4);
    // A count that is none is told of first.
    CHECK(service.ask("action=getqueue&count=0") == "invalid parameters");
}

TEST_CASE("what a browser knows of a page counts behind a web server too", "[posdb]") {
    ServiceOptions options;
    options.queue = Permission::everybody;
    TestService service(std::move(options));
    const auto queue = [&](const std::string& site, const std::string& origin) {
        // That web server asks under a Host of its own.
        HttpRequest request = TestService::request("action=queue&board=startpos");
        request.headers = {{"x-forwarded-for", "192.0.2.1"}, {"origin", origin}};
        if (!site.empty()) request.headers.push_back({"sec-fetch-site", site});
        return service.service().handle(request).body;
    };
    CHECK(queue("same-origin", "https://db.example.org") == "ok");
    CHECK(queue("none", "null") == "ok");
    for (const std::string site : {"cross-site", "same-site", "anything"})
        CHECK(queue(site, "http://127.0.0.1:8032") == "permission denied");
    // Of a browser that does not tell only the names can be compared.
    CHECK(queue("", "https://db.example.org") == "permission denied");
    CHECK(queue("", "https://127.0.0.1:8032") == "ok");
}

TEST_CASE("a browser that tells of no page of the server may not write", "[posdb]") {
    ServiceOptions options;
    options.queue = Permission::everybody;
    TestService service(std::move(options));
    const auto queue = [&](const std::vector<HttpField>& headers) {
        HttpRequest request = TestService::request("action=queue&board=startpos", false);
        request.host = "192.168.1.10:8032";
        request.headers = headers;
        return service.service().handle(request).body;
    };
    const HttpField agent = {
        "user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"};
    const HttpField languages = {"accept-language", "en-US,en;q=0.5"};
    // Without encryption it tells at most what page the user looks at.
    CHECK(queue({agent, languages}) == "permission denied");
    CHECK(queue({agent, languages, {"referer", "http://192.168.1.10:8032/"}}) == "ok");
    CHECK(queue({agent, languages, {"referer", "https://192.168.1.10:8032/a?b"}}) == "ok");
    CHECK(queue({agent, languages, {"origin", "http://192.168.1.10:8032"}}) == "ok");
    for (const std::string page :
         {"http://example.org/", "http://192.168.1.10:80321/", "http://192.168.1.10/",
          "http://192.168.1.10:8032.example.org/", "http://example.org/192.168.1.10:8032/", ""}) {
        INFO(page);
        CHECK(queue({agent, languages, {"referer", page}}) == "permission denied");
        CHECK(queue({{"referer", page}}) == "permission denied");
    }
    // Programs may, also those that borrow the name of a browser.
    CHECK(queue({}) == "ok");
    for (const std::string name :
         {"curl/8.5.0", "python-requests/2.31", "Mozilla/5.0",
          "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041"})
        CHECK(queue({{"user-agent", name}}) == "ok");
    CHECK(queue({{"user-agent", "Mozilla/5.0"}, languages}) == "ok");
}

TEST_CASE("only programs on the machine are told where the secret is", "[posdb]") {
    ServiceOptions options;
    options.secret_path = "/a/secret.txt";
    TestService service(std::move(options));
    const auto answer = [](TestService& asked, HttpRequest request) {
        request.path = "/secret-file";
        return asked.service().handle(request);
    };
    const HttpRequest local = TestService::request("");
    CHECK(answer(service, local).body == "/a/secret.txt\n");
    CHECK(answer(service, TestService::request("", false)).status == 404);
    for (const std::string header : {"x-forwarded-for", "forwarded", "via"}) {
        HttpRequest forwarded = local;
        forwarded.headers.push_back({header, "192.0.2.1"});
        CHECK(answer(service, forwarded).status == 404);
    }
    TestService without;
    CHECK(answer(without, local).status == 404);
}
