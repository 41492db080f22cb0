#include <tools/http/message.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

int hexadecimal_digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_header_text(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
    });
}

/// The time as "Sun, 06 Nov 1994 08:49:37 GMT", in every locale.
std::string http_date(std::int64_t seconds_since_1970) {
    constexpr std::array<const char*, 7> days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<const char*, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    using namespace std::chrono;
    const sys_seconds now{seconds{seconds_since_1970}};
    const sys_days day = floor<std::chrono::days>(now);
    const year_month_day date{day};
    const hh_mm_ss time{now - day};
    char text[64];
    std::snprintf(text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d GMT",
                  days[weekday{day}.c_encoding()], static_cast<unsigned>(date.day()),
                  months[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return text;
}

std::string present_date() {
    return http_date(std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count());
}

}  // namespace

std::optional<std::string_view> find_field(const std::vector<HttpField>& fields,
                                           std::string_view name) {
    const auto found = std::find_if(fields.rbegin(), fields.rend(),
                                    [&](const HttpField& field) { return field.name == name; });
    if (found == fields.rend()) return std::nullopt;
    return found->value;
}

bool is_form(const HttpRequest& request) {
    const std::string_view type = request.header("content-type").value_or(std::string_view());
    return equal_ignoring_case(trimmed(type.substr(0, type.find(';'))), form_type);
}

std::string_view http_reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 204:
            return "No Content";
        case 302:
            return "Found";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 417:
            return "Expectation Failed";
        case 421:
            return "Misdirected Request";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 501:
            return "Not Implemented";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "";
    }
}

HttpResponse http_failure(int status, std::string_view more) {
    HttpResponse response;
    response.status = status;
    response.body = std::to_string(status);
    response.body += ' ';
    response.body += http_reason(status);
    if (!more.empty()) {
        response.body += ": ";
        response.body += more;
    }
    response.body += '\n';
    return response;
}

void append_response(std::string& text, const HttpResponse& response, HttpAfter after,
                     bool with_body) {
    DEFIANCE_ASSERT(response.status >= 200 && response.status <= 599);
    const bool has_content = response.status != 204 && response.status != 304;
    text += "HTTP/1.1 ";
    text += std::to_string(response.status);
    text += ' ';
    text += http_reason(response.status);
    text += "\r\nDate: ";
    text += present_date();
    if (has_content) {
        text += "\r\nContent-Type: ";
        text += is_header_text(response.type) ? std::string_view(response.type) : "text/plain";
        text += "\r\nContent-Length: ";
        text += std::to_string(response.body.size());
    }
    text += "\r\nX-Content-Type-Options: nosniff";
    for (const HttpField& field : response.headers) {
        const bool is_sound = is_header_text(field.name) && is_header_text(field.value);
        DEFIANCE_ASSERT(is_sound);
        if (!is_sound) continue;
        text += "\r\n";
        text += field.name;
        text += ": ";
        text += field.value;
    }
    if (after == HttpAfter::close) text += "\r\nConnection: close";
    if (after == HttpAfter::keep_alive_1_0) text += "\r\nConnection: keep-alive";
    text += "\r\n\r\n";
    if (with_body && has_content) text += response.body;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && plus_is_space) {
            decoded += ' ';
        } else if (text[i] != '%') {
            decoded += text[i];
        } else {
            if (text.size() - i < 3) return std::nullopt;
            const int high = hexadecimal_digit(text[i + 1]);
            const int low = hexadecimal_digit(text[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            decoded += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    DEFIANCE_ASSERT(decoded.size() <= text.size());
    return decoded;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (is_letter || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~') {
            encoded += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        encoded += '%';
        encoded += digits[byte >> 4];
        encoded += digits[byte & 15];
    }
    return encoded;
}

bool read_fields(std::string_view text, std::size_t max_fields, std::vector<HttpField>& fields) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view field = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (field.empty()) continue;
        if (fields.size() >= max_fields) return false;
        const std::size_t equals = std::min(field.find('='), field.size());
        auto name = percent_decoded(field.substr(0, equals), true);
        auto value = percent_decoded(field.substr(std::min(equals + 1, field.size())), true);
        if (!name || !value) return false;
        fields.push_back({*std::move(name), *std::move(value)});
    }
    return true;
}

}  // namespace defiance
