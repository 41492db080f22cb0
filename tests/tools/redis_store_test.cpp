#include "store_contract.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/socket.hpp>
#include <defiance/base/system.hpp>
#include <tools/store/redis_store.hpp>
#include <tools/store/resp_parser.hpp>

#include "../base/temporary.hpp"
#include "redis_server.hpp"

using namespace defiance;

namespace {

using RespState = RespParser::State;

std::optional<RespValue> parse_resp(std::string_view text, std::size_t piece) {
    RespParser parser;
    while (!text.empty()) {
        const RespState state = parser.feed(text.substr(0, piece));
        text.remove_prefix(std::min(piece, text.size()));
        if (state == RespState::malformed) return std::nullopt;
        if (state != RespState::ready) continue;
        if (parser.has_more() || !text.empty()) return std::nullopt;
        return parser.take();
    }
    return std::nullopt;
}

/// The value as a text that shows its structure.
std::string shape_of(const RespValue& value) {
    switch (value.kind) {
        case RespValue::Kind::null:
            return "null";
        case RespValue::Kind::text:
            return '"' + value.text + '"';
        case RespValue::Kind::error:
            return "error " + value.text;
        case RespValue::Kind::integer:
            return std::to_string(value.number);
        case RespValue::Kind::array:
            break;
    }
    std::string text = "[";
    for (const RespValue& item : value.items)
        text += shape_of(item) + ',';
    return text + ']';
}

std::unique_ptr<RedisStore> open_at(const RedisAddress& address) {
    return value_of(RedisStore::open(address, [](const std::string& line) { FAIL(line); }));
}

}  // namespace

TEST_CASE("a Redis server that takes nothing has not closed the connection", "[store][redis]") {
    const Listener listener = value_of(Listener::open("127.0.0.1", 0));
    RedisAddress address;
    address.host = "127.0.0.1";
    address.port = listener.port();
    address.reply_seconds = 0.2;
    RedisClient client(address);
    // More than the system keeps for who does not read.
    const auto reply = client.call({"SET", "key", std::string(32 << 20, 'x')});
    REQUIRE_FALSE(reply);
    CHECK(reply.error() == address.shown_name() + " did not answer in time");
}

TEST_CASE("replies of a Redis server are read in any pieces", "[store][redis]") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"+PONG\r\n", "\"PONG\""},
        {"-ERR no\r\n", "error ERR no"},
        {":-12\r\n", "-12"},
        {"$3\r\na\r\n\r\n", "\"a\r\n\""},
        {"$3\r\na\r\n\r\n\r\n", ""},
        {"$3\r\na\rb\r\n", "\"a\rb\""},
        {"$0\r\n\r\n", "\"\""},
        {"$-1\r\n", "null"},
        {"*-1\r\n", "null"},
        {"*0\r\n", "[]"},
        {"*3\r\n:1\r\n*2\r\n$1\r\nx\r\n*0\r\n$-1\r\n", "[1,[\"x\",[],],null,]"},
    };
    for (const auto& [text, shape] : cases)
        for (std::size_t piece = 1; piece < 30; ++piece) {
            INFO(text);
            const std::optional<RespValue> value = parse_resp(text, piece);
            CHECK((value ? shape_of(*value) : std::string()) == shape);
        }
    const std::string large(100'000, 'x');
    CHECK(parse_resp("*2\r\n$100000\r\n" + large + "\r\n$100000\r\n" + large + "\r\n", 7)
              ->items[1]
              .text == large);
}

TEST_CASE("what is no reply of a Redis server is refused", "[store][redis]") {
    for (const std::string& text :
         {std::string("HTTP/1.1 400 Bad Request\r\n"), std::string("\r\n"), std::string("$x\r\n"),
          std::string("$-2\r\n"), std::string("$99999999999\r\n"), std::string("$1\r\nabc\r\n"),
          std::string("*99999999\r\n"), std::string("*-2\r\n"), std::string(":1x\r\n"),
          std::string(":99999999999999999999\r\n"), std::string(70000, '+'),
          '+' + std::string(70000, 'x') + "\r\n"}) {
        INFO(text.substr(0, 50));
        CHECK(RespParser().feed(text) == RespState::malformed);
    }
    std::string deep;
    for (int i = 0; i < 9; ++i)
        deep += "*1\r\n";
    CHECK(RespParser().feed(deep) == RespState::malformed);
    RespParser endless;
    RespState state = endless.feed("*1000000\r\n");
    for (int i = 0; i < 100'000 && state == RespState::wants_more; ++i)
        state = endless.feed("$1000\r\n" + std::string(1000, 'x') + "\r\n");
    CHECK(state == RespState::malformed);
}

TEST_CASE("bytes at random are no danger to the reader of Redis replies", "[store][redis]") {
    Random random(3);
    const std::string seed = "*4\r\n:1\r\n$5\r\nab\r\nc\r\n*2\r\n+OK\r\n$-1\r\n-ERR x\r\n";
    int read = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text = seed;
        for (std::uint64_t changes = random.below(4U); changes > 0; --changes)
            text[random.below(text.size())] = "*$+-:0123456789\r\nab"[random.below(19)];
        const auto whole = parse_resp(text, text.size());
        const auto parts = parse_resp(text, 1 + random.below(std::uint64_t{5}));
        REQUIRE(whole.has_value() == parts.has_value());
        if (whole) REQUIRE(shape_of(*whole) == shape_of(*parts));
        read += whole ? 1 : 0;
    }
    CHECK(read > 3000);
}

TEST_CASE("the address of a Redis server", "[store][redis]") {
    const RedisAddress plain = value_of(read_redis_address("redis://db.example.org"));
    CHECK(plain.host == "db.example.org");
    CHECK(plain.port == 6379);
    CHECK(plain.database == 0);
    const RedisAddress full = value_of(read_redis_address("redis://u:p%40s%2F@[::1]:7000/12"));
    CHECK(full.host == "::1");
    CHECK(full.port == 7000);
    CHECK(full.user == "u");
    CHECK(full.password == "p@s/");
    CHECK(full.database == 12);
    CHECK(full.shown_name() == "the Redis server [::1]:7000");
    CHECK(value_of(read_redis_address("redis://:p@h/")).password == "p");
    CHECK(value_of(read_redis_address("redis://[::1]")).port == 6379);
    for (const char* bad : {"", "redis://", "http://a", "redis://a:b", "redis://a:0", "redis://a/x",
                            "redis://a/-1", "redis://secret@a", "redis://:secret%zz@a",
                            "redis://a b", "redis://a?b", "redis://a/1/2"}) {
        INFO(bad);
        const auto address = read_redis_address(bad);
        REQUIRE_FALSE(address);
        CHECK(address.error() == "a Redis server is named redis://host:port/number");
    }
}

TEST_CASE("a Redis store keeps positions and a queue", "[store][redis]") {
    if (!has_redis()) return;
    const RedisServer server("pass word");
    RedisAddress address = server.address();
    address.database = 3;
    const auto store = open_at(address);
    check_positions(*store);
    check_queue(*store);
    const auto elsewhere = open_at(server.address());
    CHECK(value_of(elsewhere->count(StoreGame::english)) == 0);
    address.password = "wrong";
    const auto refused = RedisStore::open(address, [](const std::string&) {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("refuses the login: WRONGPASS") != std::string::npos);
    CHECK(refused.error().find("wrong ") == std::string::npos);
    address.password.clear();
    CHECK_FALSE(RedisStore::open(address, [](const std::string&) {}));
}

TEST_CASE("programs that share a Redis store lose no update", "[store][redis]") {
    if (!has_redis()) return;
    const RedisServer server;
    // Two programs with two threads each.
    const auto one = open_at(server.address());
    const auto other = open_at(server.address());
    const std::vector<PositionStore*> stores = {one.get(), other.get(), one.get(), other.get()};
    check_concurrent_updates(stores, 300);
    check_concurrent_leases(stores, 300);
}

TEST_CASE("a Redis server that goes away is an error, and nothing acknowledged is lost",
          "[store][redis]") {
    if (!has_redis()) return;
    RedisServer server;
    const auto store = open_at(server.address());
    std::uint32_t stored = 0;
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t i = 0; i < 200; ++i, ++stored) {
            REQUIRE(value_of(store->update(StoreGame::english, key_of(stored), 0, "x")) ==
                    UpdateOutcome::stored);
            REQUIRE(value_of(store->push({StoreGame::english, key_of(stored), 0, {}})) ==
                    PushOutcome::queued);
        }
        server.kill();
        const Stopwatch watch;
        for (int i = 0; i < 5; ++i) {
            const auto update = store->update(StoreGame::english, key_of(999'999), 0, "x");
            REQUIRE_FALSE(update);
            CHECK(update.error().find(
                      "the Redis server 127.0.0.1:" + std::to_string(server.port()) + " c") == 0);
        }
        CHECK_FALSE(store->get(StoreGame::english, key_of(1)));
        CHECK_FALSE(store->count(StoreGame::english));
        CHECK_FALSE(store->lease(1, 1));
        CHECK(store->commit());
        CHECK(store->for_each(StoreGame::english,
                              [](const PositionKey&, const StoredValue&) { return true; }));
        CHECK(watch.seconds() < 10);
        server.start();
        // The same object goes on.
        for (int i = 0; i < 100 && store->commit(); ++i)
            sleep_milliseconds(20);
        CHECK(value_of(store->count(StoreGame::english)) == stored);
        CHECK(value_of(store->queue_size()).waiting == stored);
        for (std::uint32_t i = 0; i < stored; ++i)
            REQUIRE(value_of(store->get(StoreGame::english, key_of(i))));
    }
}

TEST_CASE("a server that is none is an error in bounded time", "[store][redis]") {
    Listener listener = value_of(Listener::open("127.0.0.1", 0));
    RedisAddress address;
    address.host = "127.0.0.1";
    address.port = listener.port();
    address.reply_seconds = 0.2;
    const auto silent = RedisStore::open(address, [](const std::string&) {});
    REQUIRE_FALSE(silent);
    CHECK(silent.error() == "the Redis server 127.0.0.1:" + std::to_string(listener.port()) +
                                " did not answer in time");
    std::thread other([&] {
        Socket socket = Listener::no_connection();
        for (int i = 0; i < 2 && listener.accept(socket, 10) == Listener::Accept::accepted; ++i)
            (void)socket.write("HTTP/1.1 400 Bad Request\r\n\r\n", 1);
    });
    address.reply_seconds = 5;
    const auto wrong = RedisStore::open(address, [](const std::string&) {});
    other.join();
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().find(" does not speak the protocol of Redis") != std::string::npos);
}

TEST_CASE("what others have put into a Redis server is an error", "[store][redis]") {
    if (!has_redis()) return;
    const RedisServer server;
    const auto store = open_at(server.address());
    RedisClient client(server.address());
    CHECK(value_of(store->update(StoreGame::czech, {65, 65, 65}, 0, "x")) == UpdateOutcome::stored);
    const std::string field = std::string("A\0\0\0A\0\0\0A\0\0\0", 12);
    for (const char* value :
         {"", "x", ":x", "0:x", "-1:x", "4294967296:x", "99999999999999999999:x"}) {
        REQUIRE(client.call({"HSET", "defiance:czech", field, value}));
        const auto got = store->get(StoreGame::czech, {65, 65, 65});
        REQUIRE_FALSE(got);
        CHECK(got.error().find(" has something else where a store should be") != std::string::npos);
    }
    const auto too_often = store->update(StoreGame::czech, {65, 65, 65}, 0xFFFFFFFF, "y");
    REQUIRE_FALSE(too_often);
    CHECK(too_often.error() == "a position was changed too often");
    REQUIRE(client.call({"HSET", "defiance:czech", field, "x"}));
    CHECK_FALSE(store->update(StoreGame::czech, {65, 65, 65}, 0, "y"));
    REQUIRE(client.call({"HSET", "defiance:italian", "short", "1:x"}));
    CHECK(store->for_each(StoreGame::italian,
                          [](const PositionKey&, const StoredValue&) { return true; }));
    REQUIRE(client.call({"SET", "defiance:english", "no hash"}));
    const auto wrong = store->count(StoreGame::english);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().find("answers: WRONGTYPE") != std::string::npos);
}
