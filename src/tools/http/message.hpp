#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/socket.hpp>

namespace defiance {

/// A name and its value: a header, or a field of a query or form.
struct HttpField {
    std::string name;
    std::string value;

    friend bool operator==(const HttpField&, const HttpField&) = default;
};

/// The value of the last field with this name, as a later parameter replaces an earlier one;
/// nothing when there is none.
[[nodiscard]] std::optional<std::string_view> find_field(const std::vector<HttpField>& fields,
                                                         std::string_view name);

/// A request that a server has received whole. Its sizes are bounded by HttpLimits; its text is
/// whatever the sender liked.
struct HttpRequest {
    enum class Method { get, head, post, options };

    Method method = Method::get;
    std::string path;  ///< begins with '/'; percent-decoded, without control characters
    /// Those of the query, then those of a body that is a form; percent-decoded, '+' as a space.
    /// Any bytes.
    std::vector<HttpField> fields;
    std::vector<HttpField> headers;  ///< names in lower case
    std::string body;
    std::string host;  ///< of the Host header, as sent; empty when an HTTP/1.0 client has none
    bool keeps_alive = true;  ///< the sender wants to send another request
    bool is_http_1_0 = false;
    IpAddress from;
    /// True when the server stops, so that a long answer is cut short; null without a server.
    const std::atomic<bool>* is_server_stopping = nullptr;

    [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const {
        return find_field(fields, name);
    }
    /// `name` in lower case.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const {
        return find_field(headers, name);
    }
};

/// The type of a body whose fields are read.
inline constexpr std::string_view form_type = "application/x-www-form-urlencoded";
/// Whether the body is of that type.
[[nodiscard]] bool is_form(const HttpRequest& request);

/// A reply of a server.
struct HttpResponse {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body;
    /// Others than Content-Type, Content-Length, Connection and Date, which the server writes. It
    /// leaves out those with control characters.
    std::vector<HttpField> headers;
};

/// What RFC 9110 calls the status, such as "Not Found"; empty for an unknown one.
[[nodiscard]] std::string_view http_reason(int status);

/// A reply in plain text that names the status and its reason, and then what else there is to say.
[[nodiscard]] HttpResponse http_failure(int status, std::string_view more = {});

/// Whether the connection stays open after a reply.
enum class HttpAfter { keep_alive, keep_alive_1_0, close };

/// Appends the reply as it is sent. Without its body, but with the length of it, for HEAD.
void append_response(std::string& text, const HttpResponse& response, HttpAfter after,
                     bool with_body);

/// The text with %41 as 'A' and, when `plus_is_space`, '+' as a space. Nothing when two hexadecimal
/// digits do not follow a '%'.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);

/// The text with all but letters, digits and "-._~" as %41 and so on: one field of a query.
[[nodiscard]] std::string percent_encoded(std::string_view text);

/// Appends the fields of a query or form "a=1&b=2". False when one is not encoded right, or more
/// than `max_fields` are in `fields` then.
[[nodiscard]] bool read_fields(std::string_view text, std::size_t max_fields,
                               std::vector<HttpField>& fields);

}  // namespace defiance
