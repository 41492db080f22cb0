#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tools/http/chunked_body.hpp>
#include <tools/http/client.hpp>

namespace defiance {

/// The time that is left of one that something may take as a whole.
class TimeLeft {
public:
    explicit TimeLeft(double seconds)
        : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(seconds))) {}

    /// 0 when it is over.
    [[nodiscard]] double seconds() const {
        const double left = std::chrono::duration<double>(end_ - Clock::now()).count();
        return left > 0 ? left : 0;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point end_;
};

/// Reads one reply of a server out of the bytes that arrive, in whatever pieces.
class ReplyParser {
public:
    explicit ReplyParser(std::size_t max_body) : max_body_(max_body) {}

    enum class State {
        wants_more,
        ready,   ///< take() gives the reply
        refused  ///< for good; problem() says why
    };

    /// Reads on with bytes that have arrived.
    State feed(std::string_view bytes);
    /// The connection has ended, which may be the end of the reply.
    State end();

    [[nodiscard]] HttpReply take() { return std::move(reply_); }
    /// What the server did, such as "sent no HTTP".
    [[nodiscard]] const std::string& problem() const { return problem_; }
    /// True when another request can be sent after the reply that is ready.
    [[nodiscard]] bool keeps_alive() const { return keeps_alive_; }

private:
    State refuse(std::string problem);
    State parse_head();
    State parse_body();
    [[nodiscard]] bool read_status_line(std::string_view line);
    [[nodiscard]] bool read_headers(std::string_view text);
    State read_framing();

    std::size_t max_body_;
    std::string buffer_;
    HttpReply reply_;
    bool has_head_ = false;
    bool keeps_alive_ = true;
    bool ends_with_connection_ = false;
    int interim_replies_ = 0;
    std::size_t body_left_ = 0;
    std::optional<ChunkedBody> chunks_;
    std::string problem_;
};

}  // namespace defiance
