#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// A line of the Hub protocol, version 2, in either direction: a command and arguments, which are
/// flags or have a value.
struct HubLine {
    struct Argument {
        std::string name;
        std::optional<std::string> value;  ///< nothing for a flag
    };

    std::string command;
    std::vector<Argument> arguments;

    /// True when there is an argument of this name, with a value or without.
    [[nodiscard]] bool has(std::string_view name) const;
    /// The value of the last argument of this name; nothing when there is none, or it is a flag.
    [[nodiscard]] std::optional<std::string_view> value(std::string_view name) const;

    HubLine& add(std::string_view name);
    HubLine& add(std::string_view name, std::string_view value);

    /// Without a line end. A value is quoted where that is needed; the protocol has no form for a
    /// quotation mark or an unprintable character within one: they become `'` and `?`.
    [[nodiscard]] std::string text() const;
};

/// A line without arguments.
[[nodiscard]] HubLine hub_line(std::string_view command);

/// The longest line that is read. A game of 512 moves and a long variation have room.
inline constexpr std::size_t longest_hub_line = 1 << 16;
/// No line of the protocol needs more.
inline constexpr std::size_t max_hub_arguments = 64;

/// Reads any bytes. White space between the parts, and around '=', does not matter. Error: what is
/// wrong with the line, such as a missing quotation mark.
[[nodiscard]] Result<HubLine> parse_hub_line(std::string_view text);

/// Reads a number from -most to most as programs write it: with a sign, and with an exponent as in
/// 1e-05. Nothing when it is none.
[[nodiscard]] std::optional<double> parse_hub_number(std::string_view text, double most);

}  // namespace defiance
