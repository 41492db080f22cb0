#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace defiance {

/// Takes a body in chunks (Transfer-Encoding: chunked) apart, as it arrives.
class ChunkedBody {
public:
    /// A body of more than `limit` bytes is refused.
    explicit ChunkedBody(std::size_t limit) : limit_(limit) {}

    enum class State {
        wants_more,
        complete,
        malformed,
        too_long  ///< the body is longer than allowed
    };

    /// Takes what it can off the front of `input` and appends to `body` what is of the body. Must
    /// not be called again after another state than wants_more.
    State take(std::string_view& input, std::string& body);

private:
    enum class Expects { size, data, end_of_data, trailer };

    /// Takes a line with its end off the input; the line must be shorter than max_line.
    enum class Line { whole, partial, malformed };
    static Line take_line(std::string_view& input, std::string_view& line);
    [[nodiscard]] State begin_chunk(std::string_view line, std::size_t body_size);

    std::size_t limit_;
    Expects expects_ = Expects::size;
    std::uint64_t left_ = 0;
    std::size_t trailer_size_ = 0;
};

}  // namespace defiance
