#include <tools/support/hub_line.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

bool ends_name(char c) {
    return is_space(c) || c == '=' || c == '"';
}

std::string_view take_name(std::string_view& rest) {
    const auto end = std::find_if(rest.begin(), rest.end(), ends_name);
    const std::string_view name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest.remove_prefix(name.size());
    return name;
}

/// What stands behind '='. Nothing when it is missing or its quotation mark is not closed.
std::optional<std::string_view> take_value(std::string_view& rest) {
    if (!rest.starts_with('"')) {
        const std::string_view word = take_name(rest);
        return word.empty() ? std::nullopt : std::optional(word);
    }
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return value;
}

std::string quoted_if_needed(std::string_view value) {
    std::string text = shown(value, longest_hub_line);
    std::replace(text.begin(), text.end(), '"', '\'');
    const bool is_plain = !text.empty() && std::none_of(text.begin(), text.end(), ends_name);
    return is_plain ? text : '"' + text + '"';
}

}  // namespace

bool HubLine::has(std::string_view name) const {
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const Argument& argument) { return argument.name == name; });
}

std::optional<std::string_view> HubLine::value(std::string_view name) const {
    const auto found =
        std::find_if(arguments.rbegin(), arguments.rend(),
                     [&](const Argument& argument) { return argument.name == name; });
    if (found == arguments.rend() || !found->value) return std::nullopt;
    return *found->value;
}

HubLine& HubLine::add(std::string_view name) {
    DEFIANCE_ASSERT(!name.empty() && std::none_of(name.begin(), name.end(), ends_name));
    arguments.push_back({std::string(name), std::nullopt});
    return *this;
}

HubLine& HubLine::add(std::string_view name, std::string_view value) {
    add(name);
    arguments.back().value = value;
    return *this;
}

std::string HubLine::text() const {
    DEFIANCE_ASSERT(!command.empty() && std::none_of(command.begin(), command.end(), ends_name));
    std::string line = command;
    for (const Argument& argument : arguments) {
        line += ' ' + argument.name;
        if (argument.value) line += '=' + quoted_if_needed(*argument.value);
    }
    return line;
}

HubLine hub_line(std::string_view command) {
    HubLine line;
    line.command = command;
    return line;
}

Result<HubLine> parse_hub_line(std::string_view text) {
    if (text.size() > longest_hub_line) return Error{"the line is too long"};
    std::string_view rest = trimmed(text);
    HubLine line;
    line.command = take_name(rest);
    if (line.command.empty()) return Error{"the command is missing"};
    while (!(rest = trimmed(rest)).empty()) {
        const std::string_view name = take_name(rest);
        if (name.empty()) return Error{"the name of an argument is missing"};
        if (line.arguments.size() == max_hub_arguments) return Error{"too many arguments"};
        line.add(name);
        rest = trimmed(rest);
        if (!rest.starts_with('=')) continue;
        rest = trimmed(rest.substr(1));
        const auto value = take_value(rest);
        if (!value)
            return Error{"the value of '" + shown(name) +
                         "' is missing, or the end of its quotation"};
        line.arguments.back().value = *value;
    }
    return line;
}

std::optional<double> parse_hub_number(std::string_view text, double most) {
    DEFIANCE_ASSERT(most >= 0);
    // from_chars would accept infinity and NaN, but no plus sign.
    if (text.find_first_not_of("+-.0123456789Ee") != std::string_view::npos) return std::nullopt;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || !(std::abs(value) <= most)) return std::nullopt;
    return value;
}

}  // namespace defiance
