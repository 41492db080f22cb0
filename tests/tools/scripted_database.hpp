#pragma once

#include <catch2/catch.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <defiance/base/socket.hpp>
#include <defiance/base/system.hpp>
#include <tools/http/server.hpp>
#include <tools/posdb/remote_database.hpp>

#include "hub_talk.hpp"

namespace defiance {

inline constexpr double short_timeout = 0.2;

/// Answers each action with a text of the test's and remembers what it was asked.
class ScriptedDatabase : public HttpHandler {
public:
    explicit ScriptedDatabase(std::function<std::string(const HttpRequest&)> answer)
        : answer_(std::move(answer)) {
        HttpServerOptions options;
        options.addresses = {"127.0.0.1"};
        Result<std::unique_ptr<HttpServer>> started = HttpServer::start(options, *this);
        REQUIRE(started);
        server_ = *std::move(started);
    }

    HttpResponse handle(const HttpRequest& request) override {
        ++questions;
        HttpResponse response;
        response.body = answer_(request);
        if (response.body == "503") response.status = 503;
        if (response.body.starts_with("403 ")) response.status = 403;
        return response;
    }
    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

    std::atomic<int> questions = 0;

private:
    std::function<std::string(const HttpRequest&)> answer_;
    std::unique_ptr<HttpServer> server_;
};

/// A server that does not speak HTTP as it should: `serve` gets every connection, one by one.
class BadServer {
public:
    explicit BadServer(std::function<void(Socket&, const std::atomic<bool>& is_over)> serve) {
        Result<Listener> opened = Listener::open("127.0.0.1", 0);
        REQUIRE(opened);
        listener_ = std::make_unique<Listener>(*std::move(opened));
        thread_ = std::thread([this, serve] {
            while (!is_over_) {
                Socket socket = Listener::no_connection();
                if (listener_->accept(socket, 0.05) == Listener::Accept::accepted)
                    serve(socket, is_over_);
            }
        });
    }
    ~BadServer() {
        is_over_ = true;
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const { return listener_->port(); }

private:
    std::unique_ptr<Listener> listener_;
    std::atomic<bool> is_over_ = false;
    std::thread thread_;
};

inline RemoteDatabaseOptions options_for(std::uint16_t port,
                                         DatabaseAction action = DatabaseAction::best) {
    RemoteDatabaseOptions options;
    options.url.host = "127.0.0.1";
    options.url.port = port;
    options.url.path = "/cdb";
    options.timeout = patience;
    options.action = action;
    return options;
}

/// Servers that give no answer in time, or none that can be used.
using Serve = std::function<void(Socket&, const std::atomic<bool>&)>;
inline const std::pair<const char*, Serve> bad_servers[] = {
    {"silent",
     [](Socket&, const std::atomic<bool>& is_over) {
         while (!is_over)
             sleep_milliseconds(5);
     }},
    {"slow",
     [](Socket& socket, const std::atomic<bool>& is_over) {
         static_cast<void>(socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", 1));
         while (!is_over && socket.write("m", 1))
             sleep_milliseconds(10);
     }},
    {"closes", [](Socket&, const std::atomic<bool>&) {}},
    {"closes in the middle",
     [](Socket& socket, const std::atomic<bool>&) {
         static_cast<void>(
             socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nmove:11-15", 1));
     }},
    {"rubbish",
     [](Socket& socket, const std::atomic<bool>&) {
         static_cast<void>(socket.write(std::string(5000, '\xFF'), 1));
     }},
    {"without end",
     [](Socket& socket, const std::atomic<bool>& is_over) {
         while (!is_over && socket.write(std::string(100'000, 'x'), 0.05)) {
         }
     }},
};

}  // namespace defiance
