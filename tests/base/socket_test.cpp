#include <base/socket_calls.hpp>
// After socket_calls.hpp, which includes winsock2.h.
#include <catch2/catch.hpp>

#include <string>
#include <thread>
#include <utility>

#include <defiance/base/clock.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/socket.hpp>
#include <defiance/base/system.hpp>

#ifndef _WIN32
#include <sys/resource.h>
#endif

using namespace defiance;

namespace {

Listener listen(const std::string& address = "127.0.0.1") {
    Result<Listener> listener = Listener::open(address, 0);
    INFO((listener ? "" : listener.error()));
    REQUIRE(listener);
    return *std::move(listener);
}

/// Both ends of a connection.
struct Pair {
    Socket client = Listener::no_connection();
    Socket server = Listener::no_connection();
};

Pair connect(Listener& listener, const std::string& host = "127.0.0.1") {
    Pair pair;
    Result<Socket> client = Socket::connect(host, listener.port(), 5);
    INFO((client ? "" : client.error()));
    REQUIRE(client);
    pair.client = *std::move(client);
    REQUIRE(listener.accept(pair.server, 5) == Listener::Accept::accepted);
    return pair;
}

std::string read_bytes(Socket& socket, std::size_t size) {
    std::string text;
    while (text.size() < size)
        if (socket.read(text, 10) != Socket::Read::data) break;
    return text;
}

}  // namespace

TEST_CASE("two ends of a connection exchange bytes", "[base][socket]") {
    Listener listener = listen();
    CHECK(listener.port() != 0);
    Pair pair = connect(listener);
    CHECK(pair.server.peer().is_loopback());
    CHECK(pair.server.peer().text() == "127.0.0.1");
    CHECK(pair.client.peer().text() == "127.0.0.1");
    CHECK(pair.client.is_quiet());
    CHECK(pair.server.write("11-15", 5));
    CHECK(read_bytes(pair.client, 5) == "11-15");
    CHECK(pair.client.write(std::string("a\0b", 3), 5));
    CHECK(read_bytes(pair.server, 3) == std::string("a\0b", 3));
    CHECK(pair.client.is_quiet());
}

TEST_CASE("a name and an address of IPv6 lead to the loopback", "[base][socket]") {
    Listener listener = listen();
    const Pair pair = connect(listener, "localhost");
    CHECK(pair.client.peer().is_loopback());
    Result<Listener> six = Listener::open("::1", 0);
    if (!six) {
        WARN("this machine has no IPv6: " + six.error());
        return;
    }
    Listener other = *std::move(six);
    const Pair second = connect(other, "::1");
    CHECK(second.server.peer().text() == "::1");
    CHECK(second.server.peer().is_loopback());
    CHECK_FALSE(second.server.peer().is_v4());
}

TEST_CASE("only addresses of this machine are loopback", "[base][socket]") {
    IpAddress address;
    address.bytes[10] = address.bytes[11] = 0xFF;
    address.bytes[12] = 127;
    address.bytes[15] = 9;
    CHECK(address.is_loopback());
    CHECK(address.text() == "127.0.0.9");
    address.bytes[12] = 128;
    CHECK_FALSE(address.is_loopback());
    address.bytes[10] = 0;
    address.bytes[12] = 127;
    CHECK_FALSE(address.is_loopback());
    CHECK_FALSE(IpAddress{}.is_loopback());
}

TEST_CASE("reading and writing stop when their time is over", "[base][socket]") {
    Listener listener = listen();
    Pair pair = connect(listener);
    std::string text;
    const Stopwatch watch;
    CHECK(pair.client.read(text, 0.05) == Socket::Read::too_late);
    CHECK(watch.seconds() >= 0.04);
    CHECK(text.empty());
    CHECK(pair.client.read(text, 0) == Socket::Read::too_late);
    // Nobody reads: the buffers of the system fill up.
    CHECK_FALSE(pair.client.write(std::string(64 << 20, 'x'), 0.05));
    Socket nothing = Listener::no_connection();
    CHECK(listener.accept(nothing, 0.05) == Listener::Accept::too_late);
    CHECK(nothing.read(text, 1) == Socket::Read::closed);
    CHECK_FALSE(nothing.write("x", 1));
    CHECK_FALSE(nothing.is_quiet());
}

TEST_CASE("an urgent byte keeps nobody busy", "[base][socket]") {
    namespace calls = socket_calls;
    Listener listener = listen();
    const calls::Handle client = calls::open_socket(AF_INET);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(listener.port());
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(calls::native(client), reinterpret_cast<const sockaddr*>(&place),
                      sizeof place) == 0);
    Socket server = Listener::no_connection();
    REQUIRE(listener.accept(server, 5) == Listener::Accept::accepted);
    if (::send(calls::native(client), "!", 1, MSG_OOB) != 1) {
        WARN("this machine sends no urgent bytes");
        calls::close_socket(client);
        return;
    }
    std::string text;
    CHECK(server.read(text, 0.2) == Socket::Read::too_late);
    CHECK(text.empty());
    CHECK_FALSE(server.write(std::string(64 << 20, 'x'), 0.2));
    calls::close_socket(client);
}

TEST_CASE("the end of a connection is seen after what was sent before it", "[base][socket]") {
    Listener listener = listen();
    Pair pair = connect(listener);
    CHECK(pair.server.write("last words", 5));
    pair.server.end_sending();
    CHECK(read_bytes(pair.client, 10) == "last words");
    std::string text;
    CHECK(pair.client.read(text, 5) == Socket::Read::closed);
    CHECK_FALSE(pair.client.is_quiet());
    CHECK(pair.client.write("still heard", 5));
    CHECK(read_bytes(pair.server, 11) == "still heard");
    { const Socket gone = std::move(pair.client); }
    CHECK(pair.server.read(text, 5) == Socket::Read::closed);
    // The first may still be taken by the system.
    for (int i = 0; i < 50 && pair.server.write("x", 1); ++i)
        sleep_milliseconds(10);
    CHECK_FALSE(pair.server.write("x", 1));
}

TEST_CASE("another thread can end a connection that waits", "[base][socket]") {
    Listener listener = listen();
    Pair pair = connect(listener);
    std::thread other([&] {
        sleep_milliseconds(30);
        pair.server.interrupt();
    });
    std::string text;
    CHECK(pair.server.read(text, 10) == Socket::Read::closed);
    other.join();
}

TEST_CASE("what cannot be reached or listened at is named", "[base][socket]") {
    Listener listener = listen();
    const Result<Listener> taken = Listener::open("127.0.0.1", listener.port());
    REQUIRE_FALSE(taken);
    CHECK(taken.error() == "cannot listen at 127.0.0.1 port " + std::to_string(listener.port()) +
                               ": the port is in use");
    // An address for examples, which no machine has; some may listen at any.
    const Result<Listener> absent = Listener::open("192.0.2.1", 0);
    if (absent)
        WARN("skipped: this machine listens at addresses that it does not have");
    else
        CHECK(absent.error() ==
              "cannot listen at 192.0.2.1 port 0: this machine has no such address");
    CHECK(Listener::open("no address", 0).error() ==
          "'no address' is no numeric address to listen at");
    CHECK_FALSE(Listener::open("", 0));
    const std::uint16_t port = listener.port();
    { const Listener gone = std::move(listener); }
    const Result<Socket> refused = Socket::connect("127.0.0.1", port, 5);
    REQUIRE_FALSE(refused);
    CHECK(refused.error() == "127.0.0.1 port " + std::to_string(port) + " refuses the connection");
#ifndef _WIN32
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit none = before;
    none.rlim_cur = 0;
    REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
    const Result<Socket> impossible = Socket::connect("127.0.0.1", port, 5);
    REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
    REQUIRE_FALSE(impossible);
    CHECK(impossible.error() ==
          "127.0.0.1 port " + std::to_string(port) + " cannot be reached: Too many open files");
#endif
    CHECK_FALSE(Socket::connect("", 80, 1));
    CHECK_FALSE(Socket::connect(std::string("a\0b", 3), 80, 1));
    // A reserved name that no machine has; however long the system asks for it.
    const Stopwatch watch;
    CHECK_FALSE(Socket::connect("no-such-machine.invalid", 80, 0.5));
    CHECK(watch.seconds() < 5);
}
