#include <tools/http/reply_parser.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::size_t max_reply_head = 32768;
constexpr std::size_t max_reply_headers = 128;
constexpr int max_interim_replies = 8;

}  // namespace

ReplyParser::State ReplyParser::refuse(std::string problem) {
    DEFIANCE_ASSERT(!problem.empty());
    problem_ = std::move(problem);
    return State::refused;
}

ReplyParser::State ReplyParser::feed(std::string_view bytes) {
    if (!problem_.empty()) return State::refused;
    buffer_ += bytes;
    while (!has_head_)
        if (const State state = parse_head(); state != State::ready) return state;
    return parse_body();
}

ReplyParser::State ReplyParser::end() {
    if (!problem_.empty()) return State::refused;
    keeps_alive_ = false;
    if (has_head_ && ends_with_connection_) return State::ready;
    return refuse(has_head_ || !buffer_.empty() ? "closed the connection within its reply"
                                                : "closed the connection without a reply");
}

/// Ready when a head was read; has_head_ when it was not one of those that precede a reply.
ReplyParser::State ReplyParser::parse_head() {
    const std::size_t end = buffer_.find("\r\n\r\n");
    if (end == std::string::npos || end > max_reply_head) {
        if (buffer_.size() > max_reply_head) return refuse("sent a reply with too large a head");
        constexpr std::string_view beginning = "HTTP/1.";
        const std::size_t known = std::min(beginning.size(), buffer_.size());
        if (buffer_.compare(0, known, beginning.substr(0, known)) != 0)
            return refuse("did not answer in HTTP");
        return State::wants_more;
    }
    reply_ = {};
    const std::string head = buffer_.substr(0, end);
    buffer_.erase(0, end + 4);
    const std::size_t line_end = std::min(head.find("\r\n"), head.size());
    const std::string_view text = head;
    if (!read_status_line(text.substr(0, line_end))) return refuse("did not answer in HTTP");
    if (!read_headers(text.substr(std::min(line_end + 2, text.size()))))
        return refuse("sent a reply with malformed headers");
    if (reply_.status >= 200) {
        has_head_ = true;
        return read_framing();
    }
    return ++interim_replies_ > max_interim_replies || reply_.status == 101
               ? refuse("did not come to its reply")
               : State::ready;
}

bool ReplyParser::read_status_line(std::string_view line) {
    if (line.size() < 12 || line.substr(0, 7) != "HTTP/1." || !is_digit(line[7]) ||
        line[8] != ' ' || (line.size() > 12 && line[12] != ' '))
        return false;
    const auto status = parse_integer(line.substr(9, 3), 100, 599);
    if (!status) return false;
    reply_.status = static_cast<int>(*status);
    keeps_alive_ = line[7] != '0';
    return true;
}

bool ReplyParser::read_headers(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("\r\n"), text.size());
        const std::string_view line = text.substr(0, end);
        const std::size_t colon = line.find(':');
        if (colon == 0 || colon == std::string_view::npos) return false;
        if (reply_.headers.size() >= max_reply_headers) return false;
        reply_.headers.push_back(
            {lower_case(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1)))});
        text.remove_prefix(std::min(end + 2, text.size()));
    }
    const std::string connection = lower_case(reply_.header("connection").value_or(""));
    if (connection.find("close") != std::string::npos) keeps_alive_ = false;
    if (connection.find("keep-alive") != std::string::npos) keeps_alive_ = true;
    return true;
}

ReplyParser::State ReplyParser::read_framing() {
    const bool has_content = reply_.status != 204 && reply_.status != 304;
    const auto encoding = reply_.header("transfer-encoding");
    const auto length = reply_.header("content-length");
    if (!has_content) return State::ready;
    if (encoding) {
        if (length || lower_case(*encoding) != "chunked")
            return refuse("sent a reply in an unknown encoding");
        chunks_.emplace(max_body_);
        return State::ready;
    }
    if (length) {
        const auto lengths =
            std::count_if(reply_.headers.begin(), reply_.headers.end(),
                          [](const HttpField& header) { return header.name == "content-length"; });
        constexpr std::int64_t most = std::int64_t{1} << 60;
        const auto bytes = parse_integer(*length, 0, most);
        if (!bytes || lengths != 1) return refuse("sent a reply with a malformed length");
        if (static_cast<std::uint64_t>(*bytes) > max_body_) return refuse("sent too large a reply");
        body_left_ = static_cast<std::size_t>(*bytes);
        return State::ready;
    }
    ends_with_connection_ = true;
    return State::ready;
}

ReplyParser::State ReplyParser::parse_body() {
    std::string_view input = buffer_;
    State state = State::wants_more;
    if (chunks_) {
        const ChunkedBody::State chunk = chunks_->take(input, reply_.body);
        if (chunk == ChunkedBody::State::malformed) return refuse("sent a malformed reply");
        if (chunk == ChunkedBody::State::too_long) return refuse("sent too large a reply");
        if (chunk == ChunkedBody::State::complete) state = State::ready;
    } else if (ends_with_connection_) {
        if (input.size() > max_body_ - reply_.body.size()) return refuse("sent too large a reply");
        reply_.body += input;
        input = {};
    } else {
        const std::size_t count = std::min(body_left_, input.size());
        reply_.body += input.substr(0, count);
        input.remove_prefix(count);
        body_left_ -= count;
        if (body_left_ == 0) state = State::ready;
    }
    buffer_.erase(0, buffer_.size() - input.size());
    // What comes after the reply was not asked for.
    if (state == State::ready && !buffer_.empty()) keeps_alive_ = false;
    return state;
}

}  // namespace defiance
