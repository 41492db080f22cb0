#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/http/client.hpp>
#include <tools/http/reply_parser.hpp>
#include <tools/http/request_parser.hpp>

using namespace defiance;

namespace {

using State = RequestParser::State;

/// The requests in the text, and the status with which the rest was refused (0: it was not).
struct Parsed {
    std::vector<HttpRequest> requests;
    int status = 0;
    bool is_complete = false;  ///< nothing is left over
};

/// Parses the text in pieces of so many bytes.
Parsed parse(std::string_view text, std::size_t piece = 1 << 20, const HttpLimits& limits = {}) {
    RequestParser parser(limits);
    Parsed parsed;
    while (!text.empty()) {
        parser.feed(text.substr(0, piece));
        text.remove_prefix(std::min(piece, text.size()));
        State state = parser.parse();
        for (; state == State::ready; state = parser.parse())
            parsed.requests.push_back(parser.take());
        if (state == State::refused) {
            parsed.status = parser.status();
            return parsed;
        }
    }
    parsed.is_complete = !parser.has_begun();
    return parsed;
}

HttpRequest parse_one(std::string_view text) {
    Parsed parsed = parse(text);
    INFO(text);
    REQUIRE(parsed.status == 0);
    REQUIRE(parsed.requests.size() == 1);
    CHECK(parsed.is_complete);
    return parsed.requests[0];
}

int refusal(std::string_view text) {
    INFO(text.substr(0, 200));
    const Parsed whole = parse(text);
    CHECK(whole.requests.empty());
    // However the bytes arrive.
    CHECK(parse(text, 1).status == whole.status);
    return whole.status;
}

std::string get(std::string_view target, std::string_view headers = "") {
    return "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" +
           std::string(headers) + "\r\n";
}

std::string post(std::string_view headers, std::string_view body) {
    return "POST /cdb HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) + "\r\n" +
           std::string(body);
}

}  // namespace

TEST_CASE("a request is taken apart", "[http]") {
    const HttpRequest request =
        parse_one(get("/cdb%2ephp?action=queryall&board=W:W21%2c22+x&json", "X-A:  b\t\r\n"));
    CHECK(request.method == HttpRequest::Method::get);
    CHECK(request.path == "/cdb.php");
    CHECK(request.host == "localhost");
    CHECK(request.keeps_alive);
    CHECK(request.field("action") == "queryall");
    CHECK(request.field("board") == "W:W21,22 x");
    CHECK(request.field("json") == "");
    CHECK_FALSE(request.field("learn"));
    CHECK(request.header("x-a") == "b");
    CHECK_FALSE(request.header("x-b"));
    CHECK(parse_one(get("/?a=1&a=2")).field("a") == "2");
    CHECK(parse_one(get("/?&&a=1&")).fields.size() == 1);
    CHECK(parse_one(get("/a+b")).path == "/a+b");
    CHECK(parse_one("HEAD / HTTP/1.1\r\nhOST: a:80\r\n\r\n").method == HttpRequest::Method::head);
    const HttpRequest pathless = parse_one("GET http://b?a=1 HTTP/1.1\r\nHost: b\r\n\r\n");
    CHECK(pathless.path == "/");
    CHECK(pathless.host == "b");
    CHECK(pathless.field("a") == "1");
    CHECK(parse_one("GET http://b HTTP/1.1\r\nHost: b\r\n\r\n").path == "/");
    CHECK(parse_one("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").path == "/");
    CHECK(parse_one("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").path == "/");
}

TEST_CASE("the fields of a form follow those of the query", "[http]") {
    const std::string type = "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n";
    const std::string text =
        "POST /?a=1&b=2 HTTP/1.1\r\nHost: x\r\n" + type + "Content-Length: 7\r\n\r\nb=3&c=%";
    CHECK(parse(text).status == 400);
    const HttpRequest request = parse_one("POST /?a=1&b=2 HTTP/1.1\r\nHost: x\r\n" + type +
                                          "Content-Length: 9\r\n\r\nb=3&c=%41");
    CHECK(request.field("a") == "1");
    CHECK(request.field("b") == "3");
    CHECK(request.field("c") == "A");
    CHECK(is_form(request));
    const HttpRequest plain = parse_one(post("Content-Length: 3\r\n", "b=%"));
    CHECK_FALSE(is_form(plain));
    CHECK(plain.body == "b=%");
    CHECK(plain.fields.empty());
}

TEST_CASE("a body in chunks is put together", "[http]") {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    const std::string body = "4;a=b\r\nwiki\r\n00A\r\n0123456789\r\n0\r\nX: y\r\n\r\n";
    CHECK(parse_one(post(chunked, body)).body == "wiki0123456789");
    for (std::size_t piece = 1; piece < 20; ++piece) {
        const Parsed parsed = parse(post(chunked, body) + get("/next"), piece);
        REQUIRE(parsed.requests.size() == 2);
        CHECK(parsed.requests[0].body == "wiki0123456789");
        CHECK(parsed.requests[1].path == "/next");
    }
    CHECK(refusal(post(chunked, "g\r\n")) == 400);
    CHECK(refusal(post(chunked, "\r\n")) == 400);
    CHECK(refusal(post(chunked, "4\nwiki")) == 400);
    CHECK(refusal(post(chunked, "4\r\nwikiX\r\n")) == 400);
    CHECK(refusal(post(chunked, "-1\r\n")) == 400);
    CHECK(refusal(post(chunked, "493E1\r\n")) == 413);
    CHECK(refusal(post(chunked, "fffffffffffffff\r\n")) == 413);
    CHECK(refusal(post(chunked, "ffffffffffffffff\r\n")) == 400);
    CHECK(refusal(post(chunked, "0\r\n" + std::string(9000, 'x'))) == 400);
}

TEST_CASE("requests that come together are read one after the other", "[http]") {
    const std::string text = get("/1") + post("Content-Length: 5\r\n", "GET /") + get("/2");
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        const Parsed parsed = parse(text, piece);
        CHECK(parsed.status == 0);
        CHECK(parsed.is_complete);
        REQUIRE(parsed.requests.size() == 3);
        CHECK(parsed.requests[0].path == "/1");
        CHECK(parsed.requests[1].body == "GET /");
        CHECK(parsed.requests[2].path == "/2");
        CHECK(parsed.requests[2].body.empty());
    }
}

TEST_CASE("a connection is kept as its client asks", "[http]") {
    CHECK_FALSE(parse_one(get("/", "Connection: close\r\n")).keeps_alive);
    CHECK_FALSE(parse_one(get("/", "Connection: Upgrade, Close\r\n")).keeps_alive);
    CHECK_FALSE(parse_one("GET / HTTP/1.0\r\n\r\n").keeps_alive);
    CHECK(parse_one("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keeps_alive);
    CHECK_FALSE(parse_one(get("/", "Connection: keep-alive\r\nConnection: close\r\n")).keeps_alive);
}

TEST_CASE("a malformed request is refused", "[http]") {
    for (const char* text : {"GET\r\n",
                             "GET /\r\n",
                             "GET /HTTP/1.1\r\n\r\n",
                             " / HTTP/1.1\r\n",
                             "G(T / HTTP/1.1\r\n",
                             "GET / HTTP/1.1\n",
                             "\n",
                             "GET / http/1.1\r\n",
                             "GET / HTTP/1.x\r\n",
                             "GET a HTTP/1.1\r\n",
                             "GET / HTTP/11\r\n",
                             "GET /%zz HTTP/1.1\r\n",
                             "GET /% HTTP/1.1\r\n",
                             "GET /%0 HTTP/1.1\r\n",
                             "GET /%00 HTTP/1.1\r\n",
                             "GET /a?x=%g0 HTTP/1.1\r\n",
                             "GET /\x01 HTTP/1.1\r\n",
                             "GET http:// HTTP/1.1\r\n",
                             "GET ?a HTTP/1.1\r\n",
                             "GET /a b HTTP/1.1\r\n"})
        CHECK(refusal(std::string(text) + "Host: a\r\n\r\n") == 400);
    CHECK(refusal("GET / HTTP/2.0\r\nHost: a\r\n\r\n") == 505);
    CHECK(refusal("PUT / HTTP/1.1\r\nHost: a\r\n\r\n") == 405);
    CHECK(refusal("GET / HTTP/1.1\r\n\r\n") == 400);
    for (const char* header :
         {"Host: b\r\n", "no colon\r\n", ": x\r\n", "A : x\r\n", " folded\r\n", "A: \x01\r\n",
          "A: x\ny\r\n", "A: x\ry\r\n", "Content-Length: -1\r\n", "Content-Length: +1\r\n",
          "Content-Length: 1x\r\n", "Content-Length: \r\n", "Content-Length: 0x10\r\n",
          "Content-Length: 1, 1\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n",
          "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"})
        CHECK(refusal(get("/", header)) == 400);
    CHECK(refusal(get("/", "Transfer-Encoding: gzip, chunked\r\n")) == 501);
    CHECK(refusal(get("/", "Expect: wonders\r\n")) == 417);
    CHECK(refusal("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
}

TEST_CASE("a request beyond a limit is refused", "[http]") {
    const std::string long_path = '/' + std::string(8192, 'a');
    CHECK(refusal(get(long_path)) == 414);
    CHECK(refusal(std::string(9000, 'G')) == 414);
    CHECK(parse_one(get(long_path.substr(0, 8192 - 13))).path.size() == 8192 - 13);
    CHECK(refusal(get(long_path.substr(0, 8192 - 12))) == 414);
    CHECK(refusal(get("/", "A: " + std::string(17000, 'a') + "\r\n")) == 431);
    CHECK(refusal("GET / HTTP/1.1\r\nA: " + std::string(17000, 'a')) == 431);
    std::string headers;
    for (int i = 0; i < 63; ++i)
        headers += "A: b\r\n";
    CHECK(parse_one(get("/", headers)).headers.size() == 64);
    CHECK(refusal(get("/", headers + "A: b\r\n")) == 431);
    CHECK(refusal(post("Content-Length: 262657\r\n", "")) == 413);
    CHECK(refusal(post("Content-Length: 99999999999999999999999\r\n", "")) == 413);
    CHECK(parse_one(post("Content-Length: 262656\r\n", std::string(262'656, 'x'))).body.size() ==
          262'656);
    std::string query = "/?";
    for (int i = 0; i < 257; ++i)
        query += "a&";
    CHECK(refusal(get(query)) == 400);
}

TEST_CASE("a client that waits for leave to send is told once", "[http]") {
    RequestParser parser;
    parser.feed(post("Content-Length: 2\r\nExpect: 100-continue\r\n", ""));
    CHECK(parser.parse() == State::wants_more);
    CHECK(parser.take_wish_to_continue());
    CHECK_FALSE(parser.take_wish_to_continue());
    parser.feed("ab");
    CHECK(parser.parse() == State::ready);
    CHECK(parser.take().body == "ab");
}

TEST_CASE("bytes at random are parsed the same in any pieces", "[http]") {
    Random random(5);
    const std::vector<std::string> seeds = {
        get("/cdb?action=queryall&board=W:W21:B1"), get("/a%41?b=%42+c", "Connection: close\r\n"),
        post("Content-Length: 4\r\nContent-Type: application/x-www-form-urlencoded\r\n", "a=b&"),
        post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n"), "GET / HTTP/1.0\r\n\r\n"};
    int accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text = seeds[random.below(seeds.size())] + seeds[random.below(seeds.size())];
        for (std::uint64_t changes = random.below(4U); changes > 0; --changes) {
            const std::size_t at = random.below(text.size());
            if (random.below(2) == 0)
                text[at] = static_cast<char>(random.below(256));
            else
                text.erase(at, 1 + random.below(3U));
            if (text.empty()) text = "G";
        }
        const Parsed whole = parse(text);
        const Parsed parts = parse(text, 1 + random.below(std::uint64_t{9}));
        accepted += static_cast<int>(whole.requests.size());
        REQUIRE(whole.status == parts.status);
        REQUIRE(whole.requests.size() == parts.requests.size());
        for (std::size_t k = 0; k < whole.requests.size(); ++k) {
            REQUIRE(whole.requests[k].path == parts.requests[k].path);
            REQUIRE(whole.requests[k].fields == parts.requests[k].fields);
            REQUIRE(whole.requests[k].body == parts.requests[k].body);
        }
    }
    CHECK(accepted > 5000);
}

TEST_CASE("a reply is written with its length and no header of its own making", "[http]") {
    HttpResponse response;
    response.body = "ok";
    response.headers.push_back({"Cache-Control", "no-store"});
    std::string text;
    append_response(text, response, HttpAfter::keep_alive, true);
    CHECK(text.substr(0, 17) == "HTTP/1.1 200 OK\r\n");
    CHECK(text.find("\r\nContent-Length: 2\r\n") != std::string::npos);
    CHECK(text.find("\r\nCache-Control: no-store\r\n") != std::string::npos);
    CHECK(text.find("Connection") == std::string::npos);
    CHECK(text.substr(text.size() - 6) == "\r\n\r\nok");
    ReplyParser parser(100);
    CHECK(parser.feed(text) == ReplyParser::State::ready);
    CHECK(parser.take().body == "ok");
    text.clear();
    append_response(text, response, HttpAfter::close, false);
    CHECK(text.find("\r\nContent-Length: 2\r\n") != std::string::npos);
    CHECK(text.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK(text.substr(text.size() - 4) == "\r\n\r\n");
}

TEST_CASE("text is percent-encoded and back", "[http]") {
    std::string all;
    for (int c = 0; c < 256; ++c)
        all += static_cast<char>(c);
    CHECK(percent_decoded(percent_encoded(all), true) == all);
    CHECK(percent_encoded("W:W21,22 a-b_c.~") == "W%3AW21%2C22%20a-b_c.~");
    CHECK(percent_decoded("a+b", false) == "a+b");
    CHECK_FALSE(percent_decoded("%4", true));
}

TEST_CASE("replies of any server are read in any pieces", "[http]") {
    struct Case {
        std::string text;
        std::string body;  ///< "-" for a refusal
        bool keeps = true;
    };
    const std::vector<Case> cases = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "abc"},
        {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", ""},
        {"HTTP/1.1 204 No Content\r\n\r\n", ""},
        {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", "a"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", "ab"},
        {"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", "a", false},
        {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", "a", false},
        {"HTTP/1.1 200 OK\r\n\r\nto the end", "to the end", false},
        {"SSH-2.0-OpenSSH\r\n", "-"},
        {"HTTP/1.1 2x0 OK\r\n\r\n", "-"},
        {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "-"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "-"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "-"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", "-"},
        {"HTTP/1.1 200 OK\r\n\r\n" + std::string(101, 'x'), "-"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n", "-"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "-"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "-"},
        {"HTTP/1.1 200 OK\r\n: a\r\n\r\n", "-"},
        {"HTTP/1.1 200 OK\r\nA: " + std::string(40000, 'x'), "-"},
        {"", "-"},
    };
    for (const Case& c : cases) {
        INFO(c.text.substr(0, 100));
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
            ReplyParser parser(100);
            ReplyParser::State state = ReplyParser::State::wants_more;
            for (std::size_t at = 0; at < c.text.size() && state == ReplyParser::State::wants_more;
                 at += piece)
                state = parser.feed(std::string_view(c.text).substr(at, piece));
            if (state == ReplyParser::State::wants_more) state = parser.end();
            if (c.body == "-") {
                CHECK(state == ReplyParser::State::refused);
                CHECK_FALSE(parser.problem().empty());
            } else {
                REQUIRE(state == ReplyParser::State::ready);
                CHECK(parser.keeps_alive() == c.keeps);
                CHECK(parser.take().body == c.body);
            }
        }
    }
}

TEST_CASE("the parts of an URL", "[http]") {
    const Result<HttpUrl> url = read_url("http://localhost:8032/cdb?x=1#y");
    REQUIRE(url);
    CHECK(url->host == "localhost");
    CHECK(url->port == 8032);
    CHECK(url->path == "/cdb?x=1");
    CHECK(read_url("HTTP://a.b")->path == "/");
    CHECK(read_url("http://a.b?x")->path == "/?x");
    CHECK(read_url("http://[::1]:80/")->host == "::1");
    for (const char* bad : {"", "localhost", "ftp://a/", "http://", "http://:80/", "http://a:0/",
                            "http://a:65536/", "http://a:b/", "http://a b/", "http://a/b c",
                            "http://a@b/", "http://a\r\nb/", "http://a/\n"})
        CHECK_FALSE(read_url(bad));
    CHECK(read_url("https://a/").error() == "https is not supported; use http:// for 'https://a/'");
}
