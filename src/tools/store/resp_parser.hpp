#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace defiance {

/// A reply of a Redis server (the protocol RESP2).
struct RespValue {
    enum class Kind { null, text, error, integer, array };

    Kind kind = Kind::null;
    std::int64_t number = 0;       ///< of an integer
    std::string text;              ///< of a text (any bytes) or an error (one line)
    std::vector<RespValue> items;  ///< of an array

    [[nodiscard]] bool is_text() const { return kind == Kind::text; }
    [[nodiscard]] bool is_integer() const { return kind == Kind::integer; }
};

/// Reads one reply out of the bytes that arrive, in whatever pieces. What a reply may be is
/// bounded: 64 MiB in all, arrays within arrays to a depth of 8.
class RespParser {
public:
    enum class State {
        wants_more,
        ready,  ///< take() gives the reply
        malformed
    };

    /// Reads on with bytes that have arrived. Must not be called after another state than
    /// wants_more.
    State feed(std::string_view bytes);

    [[nodiscard]] RespValue take() { return std::move(result_); }
    /// True when bytes came after the reply.
    [[nodiscard]] bool has_more() const { return at_ < buffer_.size(); }

private:
    struct OpenArray {
        RespValue value;
        std::size_t missing = 0;
    };

    State read_element();
    State read_text(std::string_view length, std::size_t line_end);
    State read_array(std::string_view length);
    State complete(RespValue value);

    std::string buffer_;
    std::size_t at_ = 0;
    std::size_t wanted_ = 0;  ///< nothing can be read before the buffer has so many bytes
    std::size_t total_ = 0;
    std::size_t elements_ = 0;
    std::vector<OpenArray> open_;
    RespValue result_;
};

/// A command as it is sent.
[[nodiscard]] std::string resp_command(std::span<const std::string_view> words);

}  // namespace defiance
