#include <tools/http/chunked_body.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr std::size_t max_chunk_line = 1024;
constexpr std::size_t max_trailer = 8192;

}  // namespace

ChunkedBody::Line ChunkedBody::take_line(std::string_view& input, std::string_view& line) {
    const std::size_t end = input.find('\n');
    if (end == std::string_view::npos)
        return input.size() > max_chunk_line ? Line::malformed : Line::partial;
    if (end == 0 || end > max_chunk_line || input[end - 1] != '\r') return Line::malformed;
    line = input.substr(0, end - 1);
    input.remove_prefix(end + 1);
    return Line::whole;
}

ChunkedBody::State ChunkedBody::begin_chunk(std::string_view line, std::size_t body_size) {
    // What may follow a ';' means nothing here.
    std::string_view digits = line.substr(0, line.find(';'));
    while (!digits.empty() && (digits.back() == ' ' || digits.back() == '\t'))
        digits.remove_suffix(1);
    if (digits.empty() || digits.size() > 15) return State::malformed;
    left_ = 0;
    for (const char c : digits) {
        const bool is_decimal = c >= '0' && c <= '9';
        const char letter = static_cast<char>(c | 0x20);
        if (!is_decimal && (letter < 'a' || letter > 'f')) return State::malformed;
        left_ = left_ * 16 + static_cast<std::uint64_t>(is_decimal ? c - '0' : letter - 'a' + 10);
    }
    DEFIANCE_ASSERT(body_size <= limit_);
    if (left_ > limit_ - body_size) return State::too_long;
    expects_ = left_ == 0 ? Expects::trailer : Expects::data;
    return State::wants_more;
}

ChunkedBody::State ChunkedBody::take(std::string_view& input, std::string& body) {
    for (;;) {
        if (expects_ == Expects::data) {
            const auto count =
                static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
            body.append(input.substr(0, count));
            input.remove_prefix(count);
            left_ -= count;
            if (left_ > 0) return State::wants_more;
            expects_ = Expects::end_of_data;
        }
        std::string_view line;
        const Line found = take_line(input, line);
        if (found == Line::partial) return State::wants_more;
        if (found == Line::malformed) return State::malformed;
        switch (expects_) {
            case Expects::size:
                if (const State state = begin_chunk(line, body.size()); state != State::wants_more)
                    return state;
                break;
            case Expects::end_of_data:
                if (!line.empty()) return State::malformed;
                expects_ = Expects::size;
                break;
            case Expects::trailer:
                if (line.empty()) return State::complete;
                trailer_size_ += line.size();
                if (trailer_size_ > max_trailer) return State::malformed;
                break;
            case Expects::data:
                break;
        }
    }
}

}  // namespace defiance
