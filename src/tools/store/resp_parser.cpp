#include <tools/store/resp_parser.hpp>

#include <limits>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::size_t max_reply_bytes = std::size_t{64} << 20;
constexpr std::size_t max_reply_line = 65536;
constexpr std::size_t max_elements = 1 << 20;
constexpr std::size_t max_depth = 8;

}  // namespace

RespParser::State RespParser::feed(std::string_view bytes) {
    total_ += bytes.size();
    if (total_ > max_reply_bytes) return State::malformed;
    // What was read is dropped when it is worth while.
    if (at_ > max_reply_line) {
        buffer_.erase(0, at_);
        wanted_ -= std::min(wanted_, at_);
        at_ = 0;
    }
    buffer_ += bytes;
    if (buffer_.size() < wanted_) return State::wants_more;
    for (;;) {
        const std::size_t before = at_;
        const State state = read_element();
        if (state != State::wants_more || at_ == before) return state;
    }
}

/// Reads one element that is no array, or the beginning of one; wants_more with at_ unchanged when
/// it has not arrived.
RespParser::State RespParser::read_element() {
    const std::size_t end = buffer_.find("\r\n", at_);
    if (end == std::string::npos)
        return buffer_.size() - at_ > max_reply_line ? State::malformed : State::wants_more;
    if (end == at_ || end - at_ > max_reply_line) return State::malformed;
    const std::string_view line = std::string_view(buffer_).substr(at_ + 1, end - at_ - 1);
    if (buffer_[at_] == '$') return read_text(line, end + 2);
    RespValue value;
    switch (buffer_[at_]) {
        case '+':
            value.kind = RespValue::Kind::text;
            value.text = line;
            break;
        case '-':
            value.kind = RespValue::Kind::error;
            value.text = line;
            break;
        case ':': {
            constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
            const auto number = parse_integer(line, -most, most);
            if (!number) return State::malformed;
            value.kind = RespValue::Kind::integer;
            value.number = *number;
            break;
        }
        case '*': {
            const std::string length(line);
            at_ = end + 2;
            return read_array(length);
        }
        default:
            return State::malformed;
    }
    at_ = end + 2;
    return complete(std::move(value));
}

RespParser::State RespParser::read_text(std::string_view length, std::size_t line_end) {
    const auto size = parse_integer(length, -1, static_cast<std::int64_t>(max_reply_bytes));
    if (!size) return State::malformed;
    RespValue value;
    if (*size >= 0) {
        const auto bytes = static_cast<std::size_t>(*size);
        wanted_ = line_end + bytes + 2;
        if (buffer_.size() < wanted_) return State::wants_more;
        if (buffer_.compare(line_end + bytes, 2, "\r\n") != 0) return State::malformed;
        value.kind = RespValue::Kind::text;
        value.text.assign(buffer_, line_end, bytes);
        line_end = wanted_;
    }
    wanted_ = 0;
    at_ = line_end;
    return complete(std::move(value));
}

RespParser::State RespParser::read_array(std::string_view length) {
    const auto size = parse_integer(length, -1, static_cast<std::int64_t>(max_elements));
    if (!size) return State::malformed;
    RespValue value;
    if (*size >= 0) value.kind = RespValue::Kind::array;
    if (*size <= 0) return complete(std::move(value));
    if (open_.size() >= max_depth) return State::malformed;
    open_.push_back({std::move(value), static_cast<std::size_t>(*size)});
    return State::wants_more;
}

/// Puts a whole value where it belongs: into the array that is being read, which may be whole then.
RespParser::State RespParser::complete(RespValue value) {
    if (++elements_ > max_elements) return State::malformed;
    while (!open_.empty()) {
        OpenArray& array = open_.back();
        DEFIANCE_ASSERT(array.missing > 0);
        array.value.items.push_back(std::move(value));
        if (--array.missing > 0) return State::wants_more;
        value = std::move(array.value);
        open_.pop_back();
    }
    result_ = std::move(value);
    return State::ready;
}

std::string resp_command(std::span<const std::string_view> words) {
    DEFIANCE_ASSERT(!words.empty());
    std::string text = '*' + std::to_string(words.size()) + "\r\n";
    for (const std::string_view word : words) {
        text += '$';
        text += std::to_string(word.size());
        text += "\r\n";
        text += word;
        text += "\r\n";
    }
    return text;
}

}  // namespace defiance
