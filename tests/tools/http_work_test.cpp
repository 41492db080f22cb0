#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include <defiance/base/process.hpp>
#include <tools/http/server.hpp>

#include "../base/temporary.hpp"
#include "test_programs.hpp"

#ifndef _WIN32
#include <sys/stat.h>
#endif

using namespace defiance;

namespace {

/// Tells every program that asks where the secret of the server is said to be.
class SecretTeller : public HttpHandler {
public:
    explicit SecretTeller(std::string path) : path_(std::move(path)) {}
    HttpResponse handle(const HttpRequest&) override {
        HttpResponse response;
        response.body = path_ + '\n';
        return response;
    }

private:
    std::string path_;
};

/// Gives out the start position again and again, and takes no scores of the first time.
class FirstRefuser : public HttpHandler {
public:
    HttpResponse handle(const HttpRequest& request) override {
        HttpResponse response;
        if (request.field("action") == "getqueue")
            response.body = "lease:" + std::to_string(++given_) +
                            ",variant:english,note:ff,board:B:W21-32:B1-12\n";
        else
            response.body = request.field("lease") == "1" ? "invalid parameters" : "ok";
        return response;
    }

private:
    std::atomic<int> given_ = 0;
};

/// What a worker says to a server that names this file.
std::string refusal_of_worker(const std::string& path) {
    SecretTeller teller(path);
    HttpServerOptions options;
    options.addresses = {"127.0.0.1"};
    Result<std::unique_ptr<HttpServer>> started = HttpServer::start(options, teller);
    REQUIRE(started);
    const std::unique_ptr<HttpServer> server = *std::move(started);
    Result<Process> process = Process::start({program_of_build("defiance"), "work", "--server",
                                              "http://127.0.0.1:" + std::to_string(server->port())},
                                             {}, Process::Errors::collected);
    REQUIRE(process);
    Process worker = *std::move(process);
    CHECK(worker.wait(patience) == 2);
    std::string told;
    while (worker.read_errors(told, patience) == Process::Read::data) {
    }
    return told;
}

}  // namespace

TEST_CASE("a worker says of how many positions the scores were not taken", "[posdb][http]") {
    FirstRefuser refuser;
    HttpServerOptions options;
    options.addresses = {"127.0.0.1"};
    Result<std::unique_ptr<HttpServer>> started = HttpServer::start(options, refuser);
    REQUIRE(started);
    const std::unique_ptr<HttpServer> server = *std::move(started);
    const TemporaryFile secret("a secret of the tests");
    Result<Process> process =
        Process::start({program_of_build("defiance"), "work", "--server",
                        "http://127.0.0.1:" + std::to_string(server->port()), "--secret",
                        secret.path(), "--threads", "1", "--nodes", "50", "--count", "1"},
                       {}, Process::Errors::collected);
    REQUIRE(process);
    Process worker = *std::move(process);
    // It names more positions than fit into a pipe.
    std::string told;
    while (worker.read_errors(told, patience) == Process::Read::data) {
    }
    CHECK(worker.wait(patience) == 0);
    CHECK(told.find("work: the scores of 1 position were not taken by the server") !=
          std::string::npos);
}

TEST_CASE("a worker opens no file that is none of a server on its machine", "[posdb][http]") {
    const std::string refusal = "does not tell where a secret is";
    for (const std::string path : {"secret.txt", "//127.0.0.1/share/x", "\\\\127.0.0.1\\share\\x",
                                   "\\/127.0.0.1/share/x", "/\\127.0.0.1\\share\\x", ""}) {
        INFO(path);
        CHECK(refusal_of_worker(path).find(refusal) != std::string::npos);
    }
#ifdef _WIN32
    CHECK(refusal_of_worker("C:/CON").find(refusal) != std::string::npos);
#else
    // Who opens it waits until somebody writes.
    const TemporaryFolder folder;
    const std::string pipe = folder.path() + "/pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(refusal_of_worker(pipe).find(refusal) != std::string::npos);
#endif
}
