#include <defiance/base/text.hpp>

#include <charconv>
#include <cmath>

namespace defiance {

std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t least,
                                          std::int64_t most) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < least || value > most) return std::nullopt;
    return value;
}

std::optional<double> parse_decimal(std::string_view text, double most) {
    double value = 0;
    double unit = 1;
    bool fraction = false;
    bool any_digit = false;
    for (char c : text) {
        if (c == '.' && !fraction) {
            fraction = true;
        } else if (is_digit(c)) {
            any_digit = true;
            if (fraction) unit /= 10;
            value = fraction ? value + (c - '0') * unit : value * 10 + (c - '0');
        } else {
            return std::nullopt;
        }
    }
    if (!any_digit || !(value <= most)) return std::nullopt;
    return value;
}

std::string fixed(double value, int decimals) {
    constexpr double bound = 1e12;
    if (std::isnan(value)) value = 0;
    if (value > bound) value = bound;
    if (value < -bound) value = -bound;
    std::int64_t scale = 1;
    for (int i = 0; i < decimals; ++i)
        scale *= 10;
    const bool negative = value < 0;
    const auto units = static_cast<std::int64_t>(
        std::llround((negative ? -value : value) * static_cast<double>(scale)));
    std::string text = (negative && units != 0 ? "-" : "") + std::to_string(units / scale);
    if (decimals > 0) {
        const std::string fraction = std::to_string(units % scale);
        text +=
            '.' + std::string(static_cast<std::size_t>(decimals) - fraction.size(), '0') + fraction;
    }
    return text;
}

std::string with_sign(int value) {
    return (value < 0 ? "" : "+") + std::to_string(value);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_space(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view take_word(std::string_view& rest) {
    rest = trimmed(rest);
    std::size_t length = 0;
    while (length < rest.size() && !is_space(rest[length]))
        ++length;
    const std::string_view word = rest.substr(0, length);
    rest = trimmed(rest.substr(length));
    return word;
}

std::string shown(std::string_view text, std::size_t limit) {
    std::string result;
    for (char c : text.substr(0, limit))
        result += c >= ' ' && c <= '~' ? c : '?';
    if (text.size() > limit) result += "...";
    return result;
}

}  // namespace defiance
