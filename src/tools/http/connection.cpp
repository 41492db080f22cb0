#include <tools/http/connection.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// How long a connection waits until it looks whether the server stops.
constexpr double slice_seconds = 0.2;
/// Replies to requests that came together are sent together, up to this size.
constexpr std::size_t max_output = 65536;

bool is_numeric_host(std::string_view host) {
    if (host.size() >= 2 && host.front() == '[' && host.back() == ']') return true;
    // No name ends in a part of digits only.
    return host.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// The reply to a request under a name that is none of the server's. Programs come here too, which
/// show the text to somebody who can do something about it.
HttpResponse refuse_host(const std::string& host) {
    constexpr std::size_t max_shown_name = 100;
    const std::string name = name_in_host(host).value_or(host);
    std::string text = "this server is not known as '";
    text += shown(name, max_shown_name);
    text += '\'';
    // The sender may have written anything; only a name is worth a try.
    if (name.size() <= max_shown_name && is_machine_name(name)) {
        text += "; start it with --host-name ";
        text += name;
    }
    return http_failure(403, text);
}

}  // namespace

std::optional<std::string> name_in_host(std::string_view host) {
    std::string name = lower_case(host);
    const std::size_t colon = name.rfind(':');
    const bool has_port = colon != std::string::npos && name.find(']', colon) == std::string::npos;
    if (has_port) {
        if (!std::all_of(name.begin() + static_cast<std::ptrdiff_t>(colon) + 1, name.end(),
                         is_digit))
            return std::nullopt;
        name.resize(colon);
    }
    if (!name.empty() && name.back() == '.') name.pop_back();
    return name;
}

bool is_machine_name(std::string_view name) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-._";
    return !name.empty() && name.find_first_not_of(letters) == std::string_view::npos;
}

bool is_own_host(const std::string& host, const HttpServerOptions& options) {
    const std::optional<std::string> name = name_in_host(host);
    if (!name) return false;
    if (name->empty() || *name == "localhost" || is_numeric_host(*name)) return true;
    const std::vector<std::string>& own = options.host_names;
    return std::find(own.begin(), own.end(), *name) != own.end();
}

void Connection::serve() {
    while (answer_what_has_come() == Next::go_on && read_more() == Next::go_on) {
    }
}

Connection::Next Connection::answer_what_has_come() {
    RequestParser::State state = parser_.parse();
    while (state == RequestParser::State::ready && !is_closing_) {
        answer(parser_.take());
        if (output_.size() > max_output && !flush()) return Next::end;
        state = parser_.parse();
    }
    if (state == RequestParser::State::refused && !is_closing_) refuse(parser_.status());
    if (!is_closing_ && parser_.take_wish_to_continue()) output_ += "HTTP/1.1 100 Continue\r\n\r\n";
    if (!flush()) return Next::end;
    if (!is_closing_) return Next::go_on;
    linger();
    return Next::end;
}

/// Waits for bytes of a request and gives them to the parser.
Connection::Next Connection::read_more() {
    const HttpServerOptions& options = server_.options;
    const Stopwatch watch;
    const bool was_in_body = parser_.is_in_body();
    const bool had_begun = parser_.has_begun();
    for (;;) {
        input_.clear();
        const double limit = parser_.is_in_body()  ? options.body_seconds
                             : parser_.has_begun() ? options.head_seconds
                                                   : options.keep_alive_seconds;
        const double left = limit - watch.seconds();
        if (left <= 0) return give_up_waiting();
        const Socket::Read read = socket_.read(input_, std::min(left, slice_seconds));
        if (read == Socket::Read::closed) return Next::end;
        if (read == Socket::Read::too_late) {
            if (server_.is_stopping && !parser_.has_begun()) return Next::end;
            continue;
        }
        parser_.feed(input_);
        const RequestParser::State state = parser_.parse();
        // The time of a head or body runs from its first byte on, however slowly the others come.
        const bool goes_on = state == RequestParser::State::wants_more && had_begun &&
                             parser_.is_in_body() == was_in_body;
        if (!goes_on) return Next::go_on;
    }
}

/// Nothing more has come in time.
Connection::Next Connection::give_up_waiting() {
    if (!parser_.has_begun()) return Next::end;
    refuse(408);
    if (flush()) linger();
    return Next::end;
}

void Connection::refuse(int status) {
    ++server_.malformed;
    HttpResponse response = http_failure(status);
    if (status == 405) response.headers.push_back({"Allow", "GET, HEAD, POST"});
    append_response(output_, response, HttpAfter::close, true);
    is_closing_ = true;
}

void Connection::answer(HttpRequest request) {
    request.from = socket_.peer();
    request.is_server_stopping = &server_.is_stopping;
    const HttpResponse response = respond(request);
    is_closing_ = !request.keeps_alive || server_.is_stopping;
    const HttpAfter after = is_closing_           ? HttpAfter::close
                            : request.is_http_1_0 ? HttpAfter::keep_alive_1_0
                                                  : HttpAfter::keep_alive;
    append_response(output_, response, after, request.method != HttpRequest::Method::head);
}

HttpResponse Connection::respond(const HttpRequest& request) {
    const HttpServerOptions& options = server_.options;
    if (!is_own_host(request.host, options)) return refuse_host(request.host);
    HttpResponse response;
    double wait = 0;
    if (request.method == HttpRequest::Method::options) {
        response.status = options.cors_origin.empty() ? 405 : 204;
        response.headers.push_back({"Allow", "GET, HEAD, POST"});
    } else if (!request.from.is_loopback() && server_.handler.is_limited(request) &&
               (wait = seconds_to_wait(request)) > 0) {
        ++server_.over_limit;
        response = server_.handler.refuse(request);
        response.headers.push_back({"Retry-After", fixed(std::ceil(wait), 0)});
    } else {
        response = call_handler(request);
    }
    if (!options.cors_origin.empty()) {
        response.headers.push_back({"Access-Control-Allow-Origin", options.cors_origin});
        if (request.method == HttpRequest::Method::options)
            response.headers.push_back({"Access-Control-Allow-Methods", "GET, HEAD, POST"});
    }
    return response;
}

/// Counts the request for the limit. 0 when it may be answered.
double Connection::seconds_to_wait(const HttpRequest& request) {
    return server_.limiter.take(request.from, RateLimiter::Clock::now(),
                                server_.handler.cost(request));
}

HttpResponse Connection::call_handler(const HttpRequest& request) {
    ++server_.requests;
    try {
        return server_.handler.handle(request);
    } catch (const std::exception&) {
        return http_failure(500);
    }
}

bool Connection::flush() {
    if (output_.empty()) return true;
    const bool sent = socket_.write(output_, server_.options.write_seconds);
    output_.clear();
    return sent;
}

/// Reads what the client still sends, for a short time: a connection that is closed before all was
/// read is reset, and the client may lose the reply.
void Connection::linger() {
    socket_.end_sending();
    constexpr std::size_t max_bytes = 1 << 20;
    const Stopwatch watch;
    std::size_t bytes = 0;
    while (bytes < max_bytes && watch.seconds() < 1) {
        input_.clear();
        if (socket_.read(input_, slice_seconds) == Socket::Read::closed) return;
        if (server_.is_stopping && input_.empty()) return;
        bytes += input_.size();
    }
}

}  // namespace defiance
