#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/socket.hpp>
#include <defiance/base/system.hpp>
#include <tools/http/client.hpp>
#include <tools/http/connection.hpp>
#include <tools/http/server.hpp>

using namespace defiance;

namespace {

/// Answers with what it was asked.
class EchoHandler : public HttpHandler {
public:
    HttpResponse handle(const HttpRequest& request) override {
        if (request.path == "/missing") return http_failure(404);
        if (request.path == "/throw") throw std::runtime_error("a fault");
        if (request.path == "/held") hold(request);
        if (request.path == "/large") {
            HttpResponse large;
            large.body.assign(8 << 20, 'x');
            return large;
        }
        HttpResponse response;
        response.body = request.path;
        for (const HttpField& field : request.fields)
            response.body += ' ' + field.name + '=' + field.value;
        response.body += ' ' + request.body;
        return response;
    }

    std::atomic<bool> is_holding = false;  ///< /held has been asked for

private:
    /// Until the server stops.
    void hold(const HttpRequest& request) {
        is_holding = true;
        for (int i = 0; i < 3000 && !*request.is_server_stopping; ++i)
            sleep_milliseconds(10);
    }
};

HttpServerOptions local_options() {
    HttpServerOptions options;
    options.addresses = {"127.0.0.1"};
    return options;
}

struct TestServer {
    explicit TestServer(const HttpServerOptions& options = local_options()) {
        Result<std::unique_ptr<HttpServer>> started = HttpServer::start(options, handler);
        INFO((started ? "" : started.error()));
        REQUIRE(started);
        server = *std::move(started);
    }

    [[nodiscard]] HttpClient client() const { return {"127.0.0.1", server->port()}; }
    [[nodiscard]] Socket connect() const {
        Result<Socket> socket = Socket::connect("127.0.0.1", server->port(), 5);
        REQUIRE(socket);
        return *std::move(socket);
    }

    EchoHandler handler;
    std::unique_ptr<HttpServer> server;
};

/// All that comes until the server closes the connection.
std::string read_all(Socket& socket, double seconds = 10) {
    std::string text;
    const Stopwatch watch;
    while (watch.seconds() < seconds && socket.read(text, seconds) == Socket::Read::data) {
    }
    return text;
}

std::string ask(const TestServer& server, const std::string& request) {
    Socket socket = server.connect();
    REQUIRE(socket.write(request, 5));
    socket.end_sending();
    return read_all(socket);
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        ++found;
    return found;
}

int status_of(const std::string& reply) {
    return reply.size() < 12 || reply.substr(0, 9) != "HTTP/1.1 " ? 0 : std::stoi(reply.substr(9));
}

}  // namespace

TEST_CASE("a server answers a client over one connection", "[http]") {
    const TestServer server;
    HttpClient client = server.client();
    for (int i = 0; i < 50; ++i) {
        const Result<HttpReply> reply = client.get("/a?n=" + std::to_string(i), 10);
        INFO((reply ? "" : reply.error()));
        REQUIRE(reply);
        CHECK(reply->status == 200);
        CHECK(reply->body == "/a n=" + std::to_string(i) + ' ');
        CHECK(reply->header("content-type") == "text/plain; charset=utf-8");
    }
    const Result<HttpReply> form = client.post("/b", "x=%41&y", 10);
    REQUIRE(form);
    CHECK(form->body == "/b x=A y= x=%41&y");
    CHECK(client.post("/b", std::string(65536, 'x'), 10, "text/plain")->body.size() == 65536 + 3);
    CHECK(client.get("/missing", 10)->status == 404);
    CHECK(client.get("/throw", 10)->status == 500);
    CHECK(client.get("/large", 10).error() ==
          "127.0.0.1:" + std::to_string(server.server->port()) + " sent too large a reply");
    CHECK(client.get("/", 10)->status == 200);
    CHECK(server.server->counts().connections == 2);
    CHECK(server.server->counts().requests == 56);
}

TEST_CASE("requests that come together are answered in order", "[http]") {
    const TestServer server;
    std::string requests;
    for (int i = 0; i < 500; ++i)
        requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const std::string replies = ask(server, requests);
    CHECK(occurrences(replies, "HTTP/1.1 200 OK\r\n") == 500);
    CHECK(occurrences(replies, "\r\nX-Content-Type-Options: nosniff\r\n") == 500);
    std::size_t at = 0;
    for (int i = 0; i < 500; ++i) {
        at = replies.find("\r\n\r\n/" + std::to_string(i) + ' ', at);
        REQUIRE(at != std::string::npos);
    }
}

TEST_CASE("HEAD gets the length without the body", "[http]") {
    const TestServer server;
    const std::string reply = ask(server, "HEAD /abc HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(status_of(reply) == 200);
    CHECK(reply.find("\r\nContent-Length: 5\r\n") != std::string::npos);
    CHECK(reply.substr(reply.size() - 4) == "\r\n\r\n");
}

TEST_CASE("a client that wants leave to send gets it", "[http]") {
    const TestServer server;
    Socket socket = server.connect();
    REQUIRE(socket.write("POST / HTTP/1.1\r\nHost: a:1\r\nHost: b\r\n\r\n", 5));
    CHECK(status_of(read_all(socket)) == 400);
    Socket other = server.connect();
    REQUIRE(
        other.write("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                    "Expect: 100-continue\r\nConnection: close\r\n\r\n",
                    5));
    std::string text;
    while (text.find("\r\n\r\n") == std::string::npos)
        REQUIRE(other.read(text, 10) == Socket::Read::data);
    CHECK(text == "HTTP/1.1 100 Continue\r\n\r\n");
    REQUIRE(other.write("ok", 5));
    const std::string reply = read_all(other);
    CHECK(status_of(reply) == 200);
    CHECK(reply.substr(reply.size() - 5) == "/x ok");
}

TEST_CASE("after the last reply nobody gets leave to send", "[http]") {
    const TestServer server;
    const std::string wish = "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n";
    const std::string too_large =
        ask(server, wish + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n");
    CHECK(status_of(too_large) == 413);
    CHECK(too_large.find("100 Continue") == std::string::npos);
    const std::string after_end =
        ask(server, "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" + wish +
                        "Content-Length: 2\r\n\r\n");
    CHECK(status_of(after_end) == 200);
    CHECK(after_end.find("100 Continue") == std::string::npos);
}

TEST_CASE("what a server refuses has a status and ends the connection", "[http]") {
    const TestServer server;
    CHECK(status_of(ask(server, "nonsense\r\n\r\n")) == 400);
    const std::string put = ask(server, "PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(status_of(put) == 405);
    CHECK(put.find("\r\nAllow: GET, HEAD, POST\r\n") != std::string::npos);
    CHECK(status_of(ask(server, "GET /" + std::string(9000, 'a'))) == 414);
    CHECK(status_of(ask(server, "GET / HTTP/1.1\r\nA: " + std::string(20000, 'a'))) == 431);
    // The client sends all of a body that nobody wants, and still gets the reply.
    CHECK(status_of(
              ask(server, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n" +
                              std::string(500'000, 'x'))) == 413);
    const std::string options = "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    CHECK(status_of(ask(server, options)) == 405);
    CHECK(server.server->counts().malformed == 5);
}

TEST_CASE("pages of one origin may read the replies", "[http]") {
    HttpServerOptions options = local_options();
    options.cors_origin = "https://example.org";
    const TestServer server(options);
    const std::string allowed = "\r\nAccess-Control-Allow-Origin: https://example.org\r\n";
    const std::string reply = ask(server, "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(status_of(reply) == 204);
    CHECK(reply.find(allowed) != std::string::npos);
    CHECK(ask(server, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").find(allowed) !=
          std::string::npos);
}

TEST_CASE("a server answers under its own names only", "[http]") {
    HttpServerOptions options = local_options();
    options.host_names = {"draughts.example.org"};
    for (const char* host : {"localhost", "LocalHost:8032", "127.0.0.1:8032", "[::1]:8032", "[::1]",
                             "localhost.", "", "draughts.example.org:80", "192.168.1.2"})
        CHECK(is_own_host(host, options));
    for (const char* host :
         {"evil.example.org", "localhost.evil.org", "draughts.example.org.evil.org",
          "127.0.0.1.evil.org", "localhost:80:80", "localhost:x", "::1", "a@localhost",
          "[::1].evil.org", "1.2.3.4x"})
        CHECK_FALSE(is_own_host(host, options));
    const TestServer server(options);
    CHECK(status_of(ask(server, "GET / HTTP/1.1\r\nHost: evil.example.org\r\n\r\n")) == 403);
    CHECK(status_of(ask(server, "GET http://evil.org/ HTTP/1.1\r\nHost: localhost\r\n\r\n")) ==
          403);
    CHECK(status_of(ask(server, "GET / HTTP/1.0\r\n\r\n")) == 200);
}

TEST_CASE("a server that is called by another name says what can be done", "[http]") {
    const TestServer server;
    const auto refusal = [&](const std::string& host) {
        const std::string reply = ask(server, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
        CHECK(status_of(reply) == 403);
        return reply.substr(std::min(reply.find("\r\n\r\n") + 4, reply.size()));
    };
    for (const char* host : {"headnode", "HeadNode:8032", "headnode.:8032"})
        CHECK(refusal(host) ==
              "403 Forbidden: this server is not known as 'headnode'; start it with --host-name "
              "headnode\n");
    // What is no name is shown, but nobody is told to use it.
    CHECK(refusal("a b;$(c)\xFF:8032") ==
          "403 Forbidden: this server is not known as 'a b;$(c)?'\n");
    CHECK(refusal("headnode:x") == "403 Forbidden: this server is not known as 'headnode:x'\n");
    CHECK(refusal(std::string(5000, 'a')) ==
          "403 Forbidden: this server is not known as '" + std::string(100, 'a') + "...'\n");
}

TEST_CASE("what a failure says is one line", "[http]") {
    const auto text = [](int status, const std::string& body) {
        return failure_text({status, {}, body});
    };
    CHECK(text(403, "403 Forbidden: why\n") == "403 Forbidden: why");
    CHECK(text(503, "Error: a\nb\n" + std::string(1, '\0')) == "503: Error: a?b");
    CHECK(text(500, " \n") == "500");
    CHECK(text(404, std::string(1000, 'x')) == "404: " + std::string(300, 'x') + "...");
}

TEST_CASE("a client that is too slow is refused or cut off", "[http]") {
    HttpServerOptions impatient = local_options();
    impatient.keep_alive_seconds = 0.2;
    const TestServer ending(impatient);
    Socket silent = ending.connect();
    CHECK(read_all(silent).empty());
    HttpServerOptions options = local_options();
    options.head_seconds = 0.2;
    options.body_seconds = 0.2;
    const TestServer server(options);
    const std::string head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n";
    Socket in_head = server.connect();
    REQUIRE(in_head.write("GET / HT", 5));
    CHECK(status_of(read_all(in_head)) == 408);
    Socket in_body = server.connect();
    REQUIRE(in_body.write(head + "1234", 5));
    CHECK(status_of(read_all(in_body)) == 408);
    // A byte now and then does not help.
    Socket trickling = server.connect();
    std::string reply;
    for (int i = 0; i < 100 && reply.empty(); ++i) {
        if (!trickling.write("A", 1)) break;
        (void)trickling.read(reply, 0.02);
    }
    CHECK(status_of(reply + read_all(trickling)) == 408);
}

TEST_CASE("connections beyond the limit are refused", "[http]") {
    HttpServerOptions options = local_options();
    options.max_connections = 3;
    const TestServer server(options);
    std::vector<HttpClient> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(server.client());
        REQUIRE(clients.back().get("/", 10));
    }
    HttpClient another = server.client();
    const Result<HttpReply> refused = another.get("/", 10);
    REQUIRE(refused);
    CHECK(refused->status == 503);
    CHECK(refused->body.find("--connections") != std::string::npos);
    CHECK(server.server->counts().refused_busy == 1);
    CHECK(server.server->counts().open == 3);
    clients.pop_back();
    int status = 503;
    for (int i = 0; i < 200 && status == 503; ++i) {
        sleep_milliseconds(10);
        if (const Result<HttpReply> reply = another.get("/", 10)) status = reply->status;
    }
    CHECK(status == 200);
}

TEST_CASE("a server stops while clients are connected", "[http]") {
    TestServer server;
    HttpClient idle = server.client();
    REQUIRE(idle.get("/", 10));
    Socket greedy = server.connect();  // never reads its reply
    REQUIRE(greedy.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n", 5));
    Socket waiting = server.connect();
    REQUIRE(waiting.write("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n", 5));
    for (int i = 0; i < 2000 && !server.handler.is_holding; ++i)
        sleep_milliseconds(10);
    REQUIRE(server.handler.is_holding);
    std::thread other([&] { server.server->stop(); });
    server.server->stop();
    other.join();
    CHECK(server.server->counts().open == 0);
    const std::string reply = read_all(waiting);
    CHECK(status_of(reply) == 200);
    CHECK(reply.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK_FALSE(server.client().get("/", 1));
    // The port is free again.
    HttpServerOptions options = local_options();
    options.port = server.server->port();
    const TestServer next(options);
    CHECK(next.client().get("/", 10));
}

TEST_CASE("many clients ask one server at the same time", "[http]") {
    const TestServer server;
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; ++t)
        threads.emplace_back([&, t] {
            HttpClient client = server.client();
            for (int i = 0; i < 200; ++i) {
                const std::string path = '/' + std::to_string(t) + '_' + std::to_string(i);
                const Result<HttpReply> reply = client.get(path, 20);
                if (reply && reply->body == path + ' ') ++right;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(right == 16 * 200);
    CHECK(server.server->counts().requests == 16 * 200);
}

TEST_CASE("a client gives up when its time is over, whatever the server does", "[http]") {
    Result<Listener> opened = Listener::open("127.0.0.1", 0);
    REQUIRE(opened);
    Listener listener = *std::move(opened);
    HttpClient client("127.0.0.1", listener.port());
    const Stopwatch silence;
    const Result<HttpReply> nothing = client.get("/", 0.2);  // accepted by the system only
    REQUIRE_FALSE(nothing);
    CHECK(silence.seconds() >= 0.15);
    CHECK(nothing.error() ==
          "127.0.0.1:" + std::to_string(listener.port()) + " did not answer in time");
    Socket server = Listener::no_connection();
    REQUIRE(listener.accept(server, 5) == Listener::Accept::accepted);

    std::atomic<bool> is_over = false;
    std::thread trickling([&] {
        Socket socket = Listener::no_connection();
        if (listener.accept(socket, 5) != Listener::Accept::accepted) return;
        (void)socket.write("HTTP/1.1 200 OK\r\nX: ", 1);
        while (!is_over && socket.write("a", 1))
            sleep_milliseconds(5);
    });
    CHECK_FALSE(client.get("/", 0.3));
    is_over = true;
    trickling.join();
}

TEST_CASE("a client connects again when the server has closed the connection", "[http]") {
    HttpServerOptions options = local_options();
    // Runs before the first request, too: a busy machine may take a while to send that.
    options.keep_alive_seconds = 1;
    const TestServer server(options);
    HttpClient client = server.client();
    for (int i = 0; i < 3; ++i) {
        REQUIRE(client.post("/", "x", 10));
        while (server.server->counts().open > 0)
            sleep_milliseconds(5);
    }
    CHECK(server.server->counts().connections == 3);
    CHECK_FALSE(client.get("no path", 1));
    CHECK_FALSE(client.get("/a b", 1));
    CHECK_FALSE(client.get("/\r\nX: y", 1));
}
