#include <tools/http/request_parser.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// A character of a method or of the name of a header.
bool is_token_character(char c) {
    constexpr std::string_view signs = "!#$%&'*+-.^_`|~";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           signs.find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

bool is_control_character(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

std::string_view without_blank_ends(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

/// True when the word stands in a list that commas separate, in upper or lower case.
bool lists(std::string_view list, std::string_view word) {
    for (;;) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (lower_case(without_blank_ends(list.substr(0, end))) == word) return true;
        if (end == list.size()) return false;
        list.remove_prefix(end + 1);
    }
}

std::size_t count_headers(const std::vector<HttpField>& headers, std::string_view name) {
    return static_cast<std::size_t>(
        std::count_if(headers.begin(), headers.end(),
                      [&](const HttpField& header) { return header.name == name; }));
}

}  // namespace

void RequestParser::feed(std::string_view bytes) {
    DEFIANCE_ASSERT(status_ == 0 && !is_ready_);
    buffer_.erase(0, at_);
    at_ = 0;
    buffer_ += bytes;
}

RequestParser::State RequestParser::refuse(int status) {
    DEFIANCE_ASSERT(status >= 400);
    status_ = status;
    return State::refused;
}

RequestParser::State RequestParser::parse() {
    if (status_ != 0) return State::refused;
    if (is_ready_) return State::ready;
    if (!in_body_) {
        const State state = parse_head();
        if (state != State::ready) return state;
        in_body_ = true;
    }
    return parse_body();
}

HttpRequest RequestParser::take() {
    DEFIANCE_ASSERT(is_ready_);
    is_ready_ = false;
    return std::exchange(request_, {});
}

bool RequestParser::take_wish_to_continue() {
    return in_body_ && std::exchange(wants_continue_, false);
}

/// Ready when the head has arrived and is sound.
RequestParser::State RequestParser::parse_head() {
    // Empty lines before a request are passed over: old clients send one after a form.
    if (scanned_ == 0)
        while (buffer_.compare(at_, 2, "\r\n") == 0)
            at_ += 2;
    const std::string_view text = std::string_view(buffer_).substr(at_);
    const std::size_t line_end = text.substr(0, limits_.request_line + 2).find('\n');
    if (line_end == std::string_view::npos)
        return text.size() > limits_.request_line + 1 ? refuse(414) : State::wants_more;
    if (line_end == 0 || text[line_end - 1] != '\r') return refuse(400);

    const std::size_t begin = std::max(line_end - 1, scanned_ < 3 ? 0 : scanned_ - 3);
    const std::size_t end = text.find("\r\n\r\n", begin);
    const std::size_t header_size =
        std::min(end, text.size()) - std::min(line_end, std::min(end, text.size()));
    if (header_size > limits_.header_bytes) return refuse(431);
    if (end == std::string_view::npos) {
        scanned_ = text.size();
        return State::wants_more;
    }
    scanned_ = 0;
    at_ += end + 4;
    if (const int status = read_request_line(text.substr(0, line_end - 1)); status != 0)
        return refuse(status);
    if (end > line_end) {
        const std::string_view headers = text.substr(line_end + 1, end - line_end - 1);
        if (const int status = read_headers(headers); status != 0) return refuse(status);
    }
    if (const int status = read_host(); status != 0) return refuse(status);
    if (const int status = read_framing(); status != 0) return refuse(status);
    read_connection();
    return State::ready;
}

RequestParser::State RequestParser::parse_body() {
    if (chunks_) {
        std::string_view input = std::string_view(buffer_).substr(at_);
        const ChunkedBody::State state = chunks_->take(input, request_.body);
        at_ = buffer_.size() - input.size();
        if (state == ChunkedBody::State::malformed) return refuse(400);
        if (state == ChunkedBody::State::too_long) return refuse(413);
        return state == ChunkedBody::State::complete ? finish() : State::wants_more;
    }
    const std::size_t count = std::min(body_left_, buffer_.size() - at_);
    request_.body.append(buffer_, at_, count);
    at_ += count;
    body_left_ -= count;
    return body_left_ == 0 ? finish() : State::wants_more;
}

RequestParser::State RequestParser::finish() {
    in_body_ = false;
    wants_continue_ = false;
    chunks_.reset();
    if (is_form(request_) && !read_fields(request_.body, limits_.fields, request_.fields))
        return refuse(400);
    is_ready_ = true;
    return State::ready;
}

// Each of the following returns the status to refuse with, or 0.

int RequestParser::read_request_line(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return 400;
    const std::string_view method = line.substr(0, first);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(method)) return 400;
    const bool is_version = version.size() == 8 && version.substr(0, 5) == "HTTP/" &&
                            is_digit(version[5]) && version[6] == '.' && is_digit(version[7]);
    if (!is_version) return 400;
    if (version[5] != '1') return 505;
    request_.is_http_1_0 = version[7] == '0';
    if (const int status = read_target(line.substr(first + 1, last - first - 1)); status != 0)
        return status;
    using Method = HttpRequest::Method;
    if (method == "GET")
        request_.method = Method::get;
    else if (method == "HEAD")
        request_.method = Method::head;
    else if (method == "POST")
        request_.method = Method::post;
    else if (method == "OPTIONS")
        request_.method = Method::options;
    else
        return 405;
    return 0;
}

int RequestParser::read_target(std::string_view target) {
    constexpr std::string_view scheme = "http://";
    bool is_path_left_out = false;
    if (lower_case(target.substr(0, scheme.size())) == scheme) {
        target.remove_prefix(scheme.size());
        const std::size_t end = std::min(target.find_first_of("/?"), target.size());
        if (end == 0) return 400;
        request_.host = target.substr(0, end);
        target.remove_prefix(end);
        // The path may be left out there (RFC 9112, 3.2.2 and 9110, 4.2.3).
        is_path_left_out = target.empty() || target.front() == '?';
    }
    if (target == "*") target = "/";  // OPTIONS for the server as a whole
    const std::size_t query = std::min(target.find('?'), target.size());
    const auto is_bad = [](char c) { return is_control_character(c) || c == ' '; };
    if (std::any_of(target.begin(), target.end(), is_bad)) return 400;
    std::optional<std::string> path =
        percent_decoded(is_path_left_out ? "/" : target.substr(0, query), false);
    if (!path || path->empty() || path->front() != '/') return 400;
    if (std::any_of(path->begin(), path->end(), is_control_character)) return 400;
    request_.path = *std::move(path);
    const std::string_view fields = target.substr(std::min(query + 1, target.size()));
    return read_fields(fields, limits_.fields, request_.fields) ? 0 : 400;
}

int RequestParser::read_headers(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("\r\n"), text.size());
        if (request_.headers.size() >= limits_.headers) return 431;
        if (const int status = read_header(text.substr(0, end)); status != 0) return status;
        text.remove_prefix(std::min(end + 2, text.size()));
    }
    return 0;
}

int RequestParser::read_header(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return 400;
    const std::string_view value = without_blank_ends(line.substr(colon + 1));
    const auto is_bad = [](char c) { return is_control_character(c) && c != '\t'; };
    if (std::any_of(value.begin(), value.end(), is_bad)) return 400;
    request_.headers.push_back({lower_case(line.substr(0, colon)), std::string(value)});
    return 0;
}

int RequestParser::read_host() {
    const std::size_t count = count_headers(request_.headers, "host");
    if (count > 1 || (count == 0 && !request_.is_http_1_0)) return 400;
    if (request_.host.empty()) request_.host = request_.header("host").value_or("");
    return 0;
}

/// How the end of the body is known. A request that could be read in two ways is refused.
int RequestParser::read_framing() {
    const std::size_t lengths = count_headers(request_.headers, "content-length");
    const std::size_t encodings = count_headers(request_.headers, "transfer-encoding");
    body_left_ = 0;
    if (lengths + encodings > 1) return 400;
    if (encodings == 1) {
        if (request_.is_http_1_0) return 400;
        if (lower_case(*request_.header("transfer-encoding")) != "chunked") return 501;
        chunks_.emplace(limits_.body);
    }
    if (lengths == 1) {
        const std::string_view text = *request_.header("content-length");
        if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return 400;
        const auto length = parse_integer(text, 0, static_cast<std::int64_t>(limits_.body));
        if (!length) return 413;
        body_left_ = static_cast<std::size_t>(*length);
    }
    const auto expectation = request_.header("expect");
    if (expectation && lower_case(*expectation) != "100-continue") return 417;
    wants_continue_ = expectation && !request_.is_http_1_0 && (chunks_ || body_left_ > 0);
    return 0;
}

void RequestParser::read_connection() {
    request_.keeps_alive = !request_.is_http_1_0;
    for (const HttpField& header : request_.headers) {
        if (header.name != "connection") continue;
        if (lists(header.value, "keep-alive")) request_.keeps_alive = true;
        if (lists(header.value, "close")) {
            request_.keeps_alive = false;
            return;
        }
    }
}

}  // namespace defiance
