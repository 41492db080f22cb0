#include <algorithm>
#include <charconv>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

// A file of its own, because the decimal numbers of the standard library would add 200 KB to an
// engine file, which uses only the rest of text.hpp.
namespace defiance {

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

}  // namespace defiance
