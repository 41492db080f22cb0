#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/base/socket.hpp>
#include <tools/http/message.hpp>

namespace defiance {

/// The parts of http://host:port/path.
struct HttpUrl {
    std::string host;  ///< a name or a numeric address, IPv6 without brackets
    std::uint16_t port = 80;
    std::string path = "/";  ///< with the query, as written; begins with '/'
};

/// Reads an URL. Error: what is wrong with it, such as another scheme than http.
[[nodiscard]] Result<HttpUrl> read_url(std::string_view text);

/// What a server has answered.
struct HttpReply {
    int status = 0;
    std::vector<HttpField> headers;  ///< names in lower case
    std::string body;

    /// `name` in lower case.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const {
        return find_field(headers, name);
    }
};

/// What a reply that is no success says, as one line: its status and the beginning of its text.
[[nodiscard]] std::string failure_text(const HttpReply& reply);

/// Sends requests to one server, one after the other over a connection that it keeps. For one
/// thread at a time.
class HttpClient {
public:
    /// Replies with a body of more than `max_body` bytes are errors.
    HttpClient(std::string host, std::uint16_t port, std::size_t max_body = 1 << 20)
        : host_(std::move(host)), port_(port), max_body_(max_body) {}

    /// The reply to a request for the path, which may have a query. The whole call takes no longer
    /// than `seconds`. Error, with a reply of any status being none: there was no reply, or not in
    /// time, or none of HTTP; a request of `post` may have been carried out then.
    [[nodiscard]] Result<HttpReply> get(std::string_view path, double seconds);
    [[nodiscard]] Result<HttpReply> post(std::string_view path, std::string_view body,
                                         double seconds, std::string_view type = form_type);

    /// Headers for each request, such as Authorization; without control characters.
    void set_headers(std::vector<HttpField> headers) { headers_ = std::move(headers); }

private:
    [[nodiscard]] Result<HttpReply> exchange(const std::string& request, double seconds);
    [[nodiscard]] std::string begin_request(std::string_view method, std::string_view path) const;

    std::string host_;
    std::uint16_t port_;
    std::size_t max_body_;
    std::vector<HttpField> headers_;
    std::optional<Socket> socket_;  ///< the connection, when there is one
};

}  // namespace defiance
