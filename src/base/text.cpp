#include <defiance/base/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr double max_shown = 1e12;

char lower_letter(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

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

/// The whole number nearest to number * scale; of two equally near ones the even one.
std::uint64_t scaled(double number, std::uint64_t scale) {
    DEFIANCE_ASSERT(number >= 0 && number <= max_shown && scale <= 1'000'000);
    const auto whole = static_cast<std::uint64_t>(number);
    // The fraction as high / 2^44 + low / 2^88, times scale. Both products fit into 64 bits, and
    // what a fraction has beyond 2^-88 is too little to change the result.
    constexpr int bits = 44;
    constexpr std::uint64_t one = std::uint64_t{1} << bits;
    const double fraction = (number - static_cast<double>(whole)) * static_cast<double>(one);
    std::uint64_t high = static_cast<std::uint64_t>(fraction);
    std::uint64_t low = static_cast<std::uint64_t>((fraction - static_cast<double>(high)) *
                                                   static_cast<double>(one));
    DEFIANCE_ASSERT(high < one && low < one);
    low *= scale;
    high = high * scale + (low >> bits);
    low %= one;
    const std::uint64_t units = whole * scale + (high >> bits);
    high %= one;
    const bool is_tie = high == one / 2 && low == 0;
    return units + ((is_tie ? units % 2 != 0 : high >= one / 2) ? 1 : 0);
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

std::string fixed(double value, int decimals) {
    DEFIANCE_ASSERT(decimals >= 0 && decimals <= max_decimals);
    value = std::isnan(value) ? 0 : std::clamp(value, -max_shown, max_shown);
    std::uint64_t scale = 1;
    for (int i = 0; i < decimals; ++i)
        scale *= 10;
    const std::uint64_t units = scaled(std::abs(value), scale);
    std::string text = std::to_string(units);
    const auto places = static_cast<std::size_t>(decimals);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    if (places != 0) text.insert(text.size() - places, 1, '.');
    return (value < 0 && units != 0 ? "-" : "") + text;
}

std::string with_sign(int value) {
    return (value < 0 ? "" : "+") + std::to_string(value);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        c = lower_letter(c);
    return lower;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower_letter(x) == lower_letter(y); });
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
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

std::string_view first_bytes(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return text;
    const auto continues = [&](std::size_t i) {
        return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
    };
    while (max_bytes > 0 && continues(max_bytes))
        --max_bytes;
    return text.substr(0, max_bytes);
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
