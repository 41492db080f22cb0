#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tools/http/chunked_body.hpp>
#include <tools/http/message.hpp>

namespace defiance {

/// What a request may be at most.
struct HttpLimits {
    std::size_t request_line = 8192;   ///< bytes; beyond: 414
    std::size_t header_bytes = 16384;  ///< of all headers; beyond: 431
    std::size_t headers = 64;          ///< beyond: 431
    std::size_t fields = 256;          ///< of the query and the form; beyond: 400
    std::size_t body = 262'656;        ///< bytes, 256 lines of 1026; beyond: 413
};

/// Reads the requests of one connection out of the bytes that arrive, in whatever pieces. It holds
/// no more than one request within the limits and what was fed last.
class RequestParser {
public:
    explicit RequestParser(const HttpLimits& limits = {}) : limits_(limits) {}

    enum class State {
        wants_more,
        ready,   ///< take() gives the request
        refused  ///< for good; status() says why
    };

    /// Appends bytes that have arrived. Must be called only in the state wants_more.
    void feed(std::string_view bytes);

    /// Reads on in what has arrived.
    State parse();

    /// The request that is ready. The state is that of the bytes after it then, so parse() must
    /// follow.
    [[nodiscard]] HttpRequest take();

    /// The status to refuse with.
    [[nodiscard]] int status() const { return status_; }

    /// True when a part of a request has arrived.
    [[nodiscard]] bool has_begun() const { return in_body_ || at_ < buffer_.size(); }
    /// True when its headers have arrived and not all of its body.
    [[nodiscard]] bool is_in_body() const { return in_body_; }

    /// True, once, when the sender waits for "100 Continue" before it sends the body.
    [[nodiscard]] bool take_wish_to_continue();

private:
    State refuse(int status);
    State parse_head();
    State parse_body();
    State finish();
    [[nodiscard]] int read_request_line(std::string_view line);
    [[nodiscard]] int read_target(std::string_view target);
    [[nodiscard]] int read_headers(std::string_view text);
    [[nodiscard]] int read_header(std::string_view line);
    [[nodiscard]] int read_framing();
    [[nodiscard]] int read_host();
    void read_connection();

    HttpLimits limits_;
    std::string buffer_;
    std::size_t at_ = 0;       ///< where the part that is not read yet begins
    std::size_t scanned_ = 0;  ///< bytes from there on in which the head does not end
    HttpRequest request_;
    bool in_body_ = false;
    bool is_ready_ = false;
    std::size_t body_left_ = 0;
    std::optional<ChunkedBody> chunks_;
    bool wants_continue_ = false;
    int status_ = 0;
};

}  // namespace defiance
