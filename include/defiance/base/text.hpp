#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace defiance {

/// As programs typeset a hyphen, in UTF-8.
inline constexpr std::string_view en_dash = "\xE2\x80\x93";

/// Reads a decimal integer from `min` to `max`. Nothing when the number lies outside or the text
/// holds anything else (spaces, a sign without digits, a fraction).
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t min,
                                                        std::int64_t max);

/// Reads a decimal number with an optional fraction after a point, 0 to `max`, in every locale.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text, double max);

/// The number with `decimals` (0 to max_decimals) digits after a point, rounded as printf does it;
/// a point in every locale. Values beyond 10^12 are shown as that bound, NaN as 0; never "-0".
inline constexpr int max_decimals = 6;
[[nodiscard]] std::string fixed(double value, int decimals);

/// The number, always with a sign: "+12", "-3", "+0".
[[nodiscard]] std::string with_sign(int value);

[[nodiscard]] constexpr bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The text with the letters A to Z as a to z. All other bytes stay as they are.
[[nodiscard]] std::string lower_case(std::string_view text);
/// True when the texts differ at most in that.
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);

/// The text of a file without the byte order mark of UTF-8, which programs of Windows put first.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// The text without white space at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Takes the first word off `rest` (words are separated by white space) and returns it; empty when
/// there is none. `rest` keeps what follows, without white space at its ends.
[[nodiscard]] std::string_view take_word(std::string_view& rest);

/// The words of a command: separated by white space, which counts for nothing inside quotation
/// marks ("..."). A backslash is an ordinary character, as Windows paths need it. Nothing when a
/// quotation mark has no partner.
[[nodiscard]] std::optional<std::vector<std::string>> split_command(std::string_view text);

/// The longest beginning of the UTF-8 text that has at most `max_bytes` and cuts no character.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t max_bytes);

/// Text from outside made safe for a message: at most `limit` characters, with '?' for unprintable
/// characters and invalid UTF-8, and "..." when something was cut.
[[nodiscard]] std::string shown(std::string_view text, std::size_t limit = 40);

}  // namespace defiance
