#include <tools/http/client.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/http/reply_parser.hpp>

namespace defiance {
namespace {

bool is_sound_target(std::string_view path) {
    return !path.empty() && path.front() == '/' &&
           std::all_of(path.begin(), path.end(),
                       [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7F; });
}

std::string host_header(const std::string& host, std::uint16_t port) {
    std::string text = host.find(':') == std::string::npos ? host : '[' + host + ']';
    if (port != 80) text += ':' + std::to_string(port);
    return text;
}

}  // namespace

Result<HttpUrl> read_url(std::string_view text) {
    const Error no_url{"'" + shown(text, 200) + "' is no URL such as http://localhost:8032/cdb"};
    constexpr std::string_view scheme = "http://";
    const std::string beginning = lower_case(text.substr(0, 8));
    if (beginning == "https://")
        return Error{"https is not supported; use http:// for '" + shown(text, 200) + "'"};
    if (beginning.substr(0, scheme.size()) != scheme) return no_url;
    text.remove_prefix(scheme.size());
    const std::size_t end = std::min(text.find_first_of("/?#"), text.size());
    std::string_view place = text.substr(0, end);
    HttpUrl url;
    std::string_view path = text.substr(end);
    path = path.substr(0, path.find('#'));
    url.path = path.empty() || path.front() != '/' ? "/" + std::string(path) : std::string(path);

    const std::size_t colon = place.rfind(':');
    if (colon != std::string_view::npos && place.find(']', colon) == std::string_view::npos) {
        const auto port = parse_integer(place.substr(colon + 1), 1, 65535);
        if (!port) return no_url;
        url.port = static_cast<std::uint16_t>(*port);
        place = place.substr(0, colon);
    }
    if (place.size() > 2 && place.front() == '[' && place.back() == ']')
        place = place.substr(1, place.size() - 2);
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%";
    const bool is_host = !place.empty() && place.size() <= 253 &&
                         place.find_first_not_of(letters) == std::string_view::npos;
    if (!is_host || !is_sound_target(url.path)) return no_url;
    url.host = place;
    return url;
}

std::string failure_text(const HttpReply& reply) {
    constexpr std::size_t max_shown = 300;
    std::string_view text = reply.body;
    // That of a server of positions may end with a NUL byte.
    while (text.ends_with('\0'))
        text.remove_suffix(1);
    text = trimmed(text);
    std::string line = std::to_string(reply.status);
    // Most begin with the status themselves.
    if (text.starts_with(line)) return shown(text, max_shown);
    if (text.empty()) return line;
    line += ": ";
    line += shown(text, max_shown);
    return line;
}

std::string HttpClient::begin_request(std::string_view method, std::string_view path) const {
    std::string text(method);
    text += ' ';
    text += path;
    text += " HTTP/1.1\r\nHost: " + host_header(host_, port_) + "\r\nUser-Agent: defiance\r\n";
    for (const HttpField& header : headers_)
        text += header.name + ": " + header.value + "\r\n";
    return text;
}

Result<HttpReply> HttpClient::get(std::string_view path, double seconds) {
    if (!is_sound_target(path)) return Error{"'" + shown(path, 200) + "' is no path of an URL"};
    return exchange(begin_request("GET", path) + "\r\n", seconds);
}

Result<HttpReply> HttpClient::post(std::string_view path, std::string_view body, double seconds,
                                   std::string_view type) {
    if (!is_sound_target(path)) return Error{"'" + shown(path, 200) + "' is no path of an URL"};
    std::string text = begin_request("POST", path) + "Content-Type: " + std::string(type) +
                       "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    text += body;
    return exchange(text, seconds);
}

Result<HttpReply> HttpClient::exchange(const std::string& request, double seconds) {
    const TimeLeft left(seconds);
    const std::string server = host_header(host_, port_);
    // A connection that the server has closed meanwhile, or on which something came unasked, is no
    // use.
    if (socket_ && !socket_->is_quiet()) socket_.reset();
    if (!socket_) {
        Result<Socket> socket = Socket::connect(host_, port_, left.seconds());
        if (!socket) return Error{socket.error()};
        socket_.emplace(*std::move(socket));
    }
    // The connection is kept only when all goes well.
    Socket socket = std::move(*socket_);
    socket_.reset();
    if (!socket.write(request, left.seconds()))
        return Error{server + (left.seconds() <= 0 ? " did not take the request in time"
                                                   : " has closed the connection")};
    ReplyParser parser(max_body_);
    std::string input;
    for (;;) {
        input.clear();
        const Socket::Read read = socket.read(input, left.seconds());
        if (read == Socket::Read::too_late) return Error{server + " did not answer in time"};
        const ReplyParser::State state =
            read == Socket::Read::closed ? parser.end() : parser.feed(input);
        if (state == ReplyParser::State::refused) return Error{server + ' ' + parser.problem()};
        if (state == ReplyParser::State::ready) break;
        // Bytes may trickle in for ever.
        if (left.seconds() <= 0) return Error{server + " did not answer in time"};
    }
    if (parser.keeps_alive()) socket_.emplace(std::move(socket));
    return parser.take();
}

}  // namespace defiance
