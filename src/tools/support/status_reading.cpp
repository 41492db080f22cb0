#include <tools/support/status_reading.hpp>

#include <algorithm>
#include <string>

#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::string_view number_characters = "0123456789.";

/// A number at the beginning of the text, which is cut off it.
std::optional<double> take_number(std::string_view& text) {
    const bool is_negative = !text.empty() && text[0] == '-';
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_not_of(number_characters), text.size());
    std::string_view digits = text.substr(0, end);
    // The stop of a sentence is none of a number's.
    while (!digits.empty() && digits.back() == '.')
        digits.remove_suffix(1);
    const auto number = parse_decimal(digits, 1e18);
    if (!number) return std::nullopt;
    text.remove_prefix(end);
    return is_negative ? -*number : *number;
}

double factor_of(std::string_view unit) {
    switch (unit.empty() ? ' ' : unit[0]) {
        case 'k':
        case 'K':
            return 1e3;
        case 'M':
        case 'm':
            return 1e6;
        case 'G':
            return 1e9;
        default:
            return 1;
    }
}

/// The number before `kN/s` and its like, which needs no word in front.
std::optional<double> speed_in(const std::string& status) {
    std::string lower = status;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
    });
    const std::size_t at = lower.find("n/s");
    if (at == std::string::npos) return std::nullopt;
    std::size_t end = at;
    while (end > 0 && (lower[end - 1] == 'k' || lower[end - 1] == 'm'))
        --end;
    const std::string_view unit = std::string_view(lower).substr(end, at - end);
    while (end > 0 && lower[end - 1] == ' ')
        --end;
    std::size_t begin = end;
    while (begin > 0 && number_characters.find(lower[begin - 1]) != std::string_view::npos)
        --begin;
    std::string_view digits = std::string_view(lower).substr(begin, end - begin);
    const auto number = take_number(digits);
    if (!number) return std::nullopt;
    return *number * factor_of(unit);
}

}  // namespace

std::optional<double> number_after(std::string_view status, std::string_view word) {
    std::size_t at = status.find(word);
    if (at == std::string_view::npos) return std::nullopt;
    at = status.find_first_not_of(" :=", at + word.size());
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view rest = status.substr(at);
    const auto number = take_number(rest);
    if (!number) return std::nullopt;
    return *number * factor_of(rest.substr(0, 1) == "m" ? "" : rest);
}

StatusReading read_status(std::string_view status) {
    StatusReading reading;
    reading.depth = number_after(status, "depth");
    for (const std::string_view word : {"value", "eval", "score"})
        if (!reading.value) reading.value = number_after(status, word);
    reading.nodes_per_second = speed_in(std::string(status));
    return reading;
}

}  // namespace defiance
