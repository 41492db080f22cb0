#include <defiance/base/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// Bytes of the UTF-8 character at the beginning of the text; 0 when it is invalid or unprintable.
std::size_t printable_bytes(std::string_view text) {
    DEFIANCE_ASSERT(!text.empty());
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= ' ' && first <= '~' ? 1 : 0;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    std::uint32_t code = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3FU);
    }
    // Control characters, overlong encodings, UTF-16 surrogates and values beyond the last code.
    constexpr std::uint32_t first_of_length[] = {0, 0, 0xA0, 0x800, 0x10000};
    const bool is_valid =
        code >= first_of_length[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return is_valid ? length : 0;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t min,
                                          std::int64_t max) {
    DEFIANCE_ASSERT(min <= max);
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < min || value > max) return std::nullopt;
    return value;
}

std::optional<double> parse_decimal(std::string_view text, double max) {
    DEFIANCE_ASSERT(max >= 0);
    // from_chars alone would accept signs, infinity and NaN too.
    const bool is_plain =
        std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || c == '.'; });
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    if (!is_plain || error != std::errc{} || stop != end || !(value <= max)) return std::nullopt;
    return value;
}

std::string fixed(double value, int decimals) {
    DEFIANCE_ASSERT(decimals >= 0 && decimals <= max_decimals);
    constexpr double bound = 1e12;
    value = std::isnan(value) ? 0 : std::clamp(value, -bound, bound);
    std::array<char, 32> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                            std::chars_format::fixed, decimals);
    DEFIANCE_ASSERT(error == std::errc{});
    const std::string_view shown(text.data(), static_cast<std::size_t>(end - text.data()));
    const bool is_zero = shown.find_first_not_of("-0.") == std::string_view::npos;
    return std::string(shown.substr(is_zero && shown.front() == '-' ? 1 : 0));
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
    DEFIANCE_ASSERT(length > 0 || rest.empty());
    const std::string_view word = rest.substr(0, length);
    rest = trimmed(rest.substr(length));
    return word;
}

std::optional<std::vector<std::string>> split_command(std::string_view text) {
    std::vector<std::string> words;
    bool is_quoted = false;
    bool in_word = false;
    for (const char c : text) {
        if (c == '"') {
            is_quoted = !is_quoted;
            if (!in_word) words.emplace_back();
            in_word = true;
        } else if (is_space(c) && !is_quoted) {
            in_word = false;
        } else {
            if (!in_word) words.emplace_back();
            in_word = true;
            words.back() += c;
        }
    }
    if (is_quoted) return std::nullopt;
    return words;
}

std::string shown(std::string_view text, std::size_t limit) {
    std::string result;
    for (std::size_t characters = 0; !text.empty(); ++characters) {
        if (characters == limit) return result + "...";
        const std::size_t length = printable_bytes(text);
        result += length == 0 ? "?" : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

}  // namespace defiance
