#pragma once

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/process.hpp>
#include <defiance/base/socket.hpp>
#include <defiance/base/system.hpp>
#include <tools/store/redis_client.hpp>
#include <tools/store/redis_store.hpp>

#include "../base/temporary.hpp"
#include "store_contract.hpp"

namespace defiance {

inline bool has_redis() {
    const auto process = Process::start({"redis-server", "--version"});
    if (process) return true;
    WARN("skipped: there is no redis-server here (" + process.error() + ")");
    return false;
}

inline std::uint16_t free_port() {
    return value_of(Listener::open("127.0.0.1", 0)).port();
}

/// A server with a folder of its own, which it keeps when it is started again.
class RedisServer {
public:
    explicit RedisServer(std::string password = {}) : password_(std::move(password)) { start(); }

    void start() {
        std::vector<std::string> words = {"redis-server",
                                          "--port",
                                          std::to_string(port_),
                                          "--bind",
                                          "127.0.0.1",
                                          "--dir",
                                          folder_.path(),
                                          "--appendonly",
                                          "yes",
                                          "--save",
                                          "",
                                          "--appendfsync",
                                          "always",
                                          "--logfile",
                                          "log"};
        if (!password_.empty()) words.insert(words.end(), {"--requirepass", password_});
        process_.emplace(value_of(Process::start(words)));
        for (int i = 0; i < 1000; ++i) {
            RedisClient client(address());
            if (const auto reply = client.call({"PING"}); reply && reply->text == "PONG") return;
            sleep_milliseconds(10);
        }
        FAIL("the Redis server does not start");
    }
    void kill() { process_->kill(); }

    [[nodiscard]] RedisAddress address() const {
        RedisAddress address = value_of(read_redis_address(url()));
        address.connect_seconds = 1;
        return address;
    }
    [[nodiscard]] std::string url(int database = 0) const {
        const std::string login = password_.empty() ? "" : ":" + password_ + "@";
        return "redis://" + login + "127.0.0.1:" + std::to_string(port_) + '/' +
               std::to_string(database);
    }
    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    TemporaryFolder folder_;
    std::uint16_t port_ = free_port();
    std::string password_;
    std::optional<Process> process_;
};

}  // namespace defiance
