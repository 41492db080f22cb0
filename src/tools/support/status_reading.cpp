#include <tools/support/status_reading.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::string_view number_characters = "0123456789.";
constexpr int max_moves_to_end = 10'000;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A number at the beginning of the text, which is cut off it.
std::optional<double> take_number(std::string_view& text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_not_of(number_characters), text.size());
    DEFIANCE_ASSERT(end <= text.size());
    std::string_view digits = text.substr(0, end);
    // A point at the end belongs to the sentence.
    while (digits.ends_with('.'))
        digits.remove_suffix(1);
    const auto number = parse_decimal(digits, 1e18);
    if (!number) return std::nullopt;
    text.remove_prefix(end);
    return is_negative ? -*number : *number;
}

double factor_of(char unit) {
    switch (unit) {
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

/// Calls `read` with what stands behind each occurrence of the word, from the first, until it
/// returns something. The word must not be a part of another one.
template <class Read>
auto read_after(std::string_view status, std::string_view word, Read read)
    -> decltype(read(status)) {
    DEFIANCE_ASSERT(!word.empty());
    for (std::size_t at = status.find(word); at != std::string_view::npos;
         at = status.find(word, at + 1)) {
        const std::string_view rest = status.substr(at + word.size());
        const bool is_whole =
            (at == 0 || !is_letter(status[at - 1])) && (rest.empty() || !is_letter(rest[0]));
        const std::size_t begin = rest.find_first_not_of(" :=");
        if (!is_whole || begin == std::string_view::npos) continue;
        if (const auto found = read(rest.substr(begin))) return found;
    }
    return std::nullopt;
}

/// `in 17 moves`, `in 17` or `in 33 plies`, in moves of the side that wins.
std::optional<int> read_moves_to_end(std::string_view text) {
    if (take_word(text) != "in") return std::nullopt;
    const auto number = parse_integer(take_word(text), 0, max_moves_to_end);
    if (!number) return std::nullopt;
    const bool is_in_plies = text.starts_with("pl");
    return static_cast<int>(is_in_plies ? (*number + 1) / 2 : *number);
}

/// A value in words at the beginning of the text.
std::optional<StatusValue> read_proven(std::string_view text) {
    using Kind = StatusValue::Kind;
    constexpr std::array words = {std::pair{std::string_view("won"), Kind::win},
                                  std::pair{std::string_view("win"), Kind::win},
                                  std::pair{std::string_view("draw"), Kind::draw},
                                  std::pair{std::string_view("lost"), Kind::loss},
                                  std::pair{std::string_view("loss"), Kind::loss}};
    for (const auto& [word, kind] : words) {
        if (!text.starts_with(word)) continue;
        std::string_view rest = text.substr(word.size());
        // Brackets and commas end the words.
        rest = rest.substr(0, rest.find_first_of("),;"));
        if (kind == Kind::draw) return StatusValue{kind, 0, std::nullopt};
        return StatusValue{kind, 0, read_moves_to_end(rest)};
    }
    return std::nullopt;
}

std::optional<StatusValue> read_value(std::string_view text) {
    if (const auto proven = read_proven(text)) return proven;
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    // Some add in words what a large number means: `29967 (won in 33 plies)`.
    if (text.starts_with(" ("))
        if (const auto proven = read_proven(text.substr(2))) return proven;
    return StatusValue{StatusValue::Kind::estimate, *number, std::nullopt};
}

/// The number before `kN/s` and its like, which needs no word in front.
std::optional<double> read_speed(std::string_view status) {
    const std::string lower = lower_case(status);
    for (const std::string_view unit : {"n/s", "nps"}) {
        for (std::size_t at = lower.find(unit); at != std::string::npos;
             at = lower.find(unit, at + 1)) {
            std::size_t end = at;
            const bool has_factor = end > 0 && (lower[end - 1] == 'k' || lower[end - 1] == 'm');
            if (has_factor) --end;
            const double factor = has_factor ? factor_of(lower[end]) : 1;
            while (end > 0 && lower[end - 1] == ' ')
                --end;
            std::size_t begin = end;
            while (begin > 0 && number_characters.find(lower[begin - 1]) != std::string_view::npos)
                --begin;
            std::string_view digits = std::string_view(lower).substr(begin, end - begin);
            if (const auto number = take_number(digits)) return *number * factor;
        }
    }
    return std::nullopt;
}

std::string moves_text(const std::optional<int>& moves) {
    DEFIANCE_ASSERT(!moves || (*moves >= 0 && *moves <= max_moves_to_end));
    return moves ? " in " + std::to_string(*moves) + (*moves == 1 ? " move" : " moves") : "";
}

}  // namespace

bool StatusValue::is_drawish(double limit) const {
    DEFIANCE_ASSERT(limit >= 0);
    return kind == Kind::draw || (kind == Kind::estimate && std::abs(estimate) <= limit);
}

bool StatusValue::is_winning(double limit) const {
    DEFIANCE_ASSERT(limit >= 0);
    return kind == Kind::win || (kind == Kind::estimate && estimate >= limit);
}

bool StatusValue::is_losing(double limit) const {
    DEFIANCE_ASSERT(limit >= 0);
    return kind == Kind::loss || (kind == Kind::estimate && estimate <= -limit);
}

std::string StatusValue::text() const {
    switch (kind) {
        case Kind::win:
            return "won" + moves_text(winners_moves);
        case Kind::loss:
            return "lost" + moves_text(winners_moves);
        case Kind::draw:
            return "draw";
        default:
            return (estimate < 0 ? "" : "+") + fixed(estimate, 0);
    }
}

std::optional<double> number_after(std::string_view status, std::string_view word) {
    return read_after(status, word, [](std::string_view rest) -> std::optional<double> {
        const auto number = take_number(rest);
        if (!number) return std::nullopt;
        // A small m stands for a thousandth or for metres, not for a million.
        return rest.empty() || rest[0] == 'm' ? *number : *number * factor_of(rest[0]);
    });
}

StatusReading read_status(std::string_view status) {
    StatusReading reading;
    reading.depth = number_after(status, "depth");
    if (reading.depth && *reading.depth < 0) reading.depth.reset();
    for (const std::string_view word : {"value", "eval", "score"})
        if (!reading.value) reading.value = read_after(status, word, read_value);
    reading.nodes_per_second = read_speed(status);
    reading.is_only_move = status.find("only move") != std::string_view::npos;
    return reading;
}

}  // namespace defiance
