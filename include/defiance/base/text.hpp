#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace defiance {

/// Reads a whole decimal number from `least` to `most`. Nothing when there is anything else in the
/// text (spaces, a sign without digits, a fraction) or the number lies outside.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t least,
                                                        std::int64_t most);

/// Reads a decimal number with an optional fraction after a point, `0` to `most`. The host's locale
/// plays no part.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text, double most);

/// The number with `decimals` (0 to 6) digits after a point, rounded; a point in every locale.
/// Values beyond 10^12 and what is no number are shown as the nearest bound, NaN as 0.
[[nodiscard]] std::string fixed(double value, int decimals);

/// The number with a sign in any case: "+12", "-3", "+0".
[[nodiscard]] std::string with_sign(int value);

[[nodiscard]] constexpr bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The text without white space at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Takes the first word off `rest` (words are separated by white space) and returns it; empty when
/// there is none. `rest` keeps what follows, without white space at its ends.
[[nodiscard]] std::string_view take_word(std::string_view& rest);

/// A part of text from outside fit to be shown in a message: at most `limit` characters, those that
/// cannot be printed replaced by '?', "..." added when something was cut.
[[nodiscard]] std::string shown(std::string_view text, std::size_t limit = 40);

}  // namespace defiance
