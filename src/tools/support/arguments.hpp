#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// An option that a verb knows: `--name value` or `--name=value`, and `--name` alone for a flag.
struct Option {
    enum class Kind { flag, text, integer, decimal };

    std::string_view name;  ///< without the two hyphens
    Kind kind = Kind::flag;
    std::int64_t least = 0;  ///< bounds of a number; a decimal one begins at 0
    std::int64_t most = 0;
    bool is_required = false;
    bool is_name = false;  ///< of a file or folder: the empty text is no value
};

[[nodiscard]] constexpr Option flag_option(std::string_view name) {
    return {name, Option::Kind::flag, 0, 0, false, false};
}
[[nodiscard]] constexpr Option text_option(std::string_view name) {
    return {name, Option::Kind::text, 0, 0, false, false};
}
/// A text that names a file or a folder, or what may be one.
[[nodiscard]] constexpr Option path_option(std::string_view name) {
    return {name, Option::Kind::text, 0, 0, false, true};
}
[[nodiscard]] constexpr Option integer_option(std::string_view name, std::int64_t least,
                                              std::int64_t most) {
    return {name, Option::Kind::integer, least, most, false, false};
}
[[nodiscard]] constexpr Option decimal_option(std::string_view name, std::int64_t most) {
    return {name, Option::Kind::decimal, 0, most, false, false};
}
/// The same option, made mandatory.
[[nodiscard]] constexpr Option required(Option option) {
    option.is_required = true;
    return option;
}

/// What may stand after a verb. The option `--game` is not listed.
struct Syntax {
    std::span<const Option> options;
    std::string_view positional;  ///< what words without an option are, e.g. "FILE"
    std::size_t min_positionals = 0;
    std::size_t max_positionals = 0;
    bool takes_game = true;  ///< whether `--game` may be given
};

/// The words after a verb, read and checked. Refers to the texts it was made from.
class Arguments {
public:
    /// Error, as one line for the user: an unknown option, one given twice, a value that is
    /// missing, out of range or an empty name, one for a flag, a required option or word left out,
    /// a word too many.
    static Result<Arguments> parse(const Syntax& syntax, std::span<const std::string_view> words);

    /// True when the option was given.
    [[nodiscard]] bool has(std::string_view name) const;

    /// The value of an option, nothing when it was not given. A number lies within the bounds of
    /// its option; it must be asked for by the kind the option has.
    [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
    [[nodiscard]] std::optional<double> decimal(std::string_view name) const;

    /// The words that belong to no option, in their order.
    [[nodiscard]] const std::vector<std::string_view>& positionals() const { return positionals_; }

    /// Options and their values as they were given, in their order; a flag's value is empty.
    [[nodiscard]] const std::vector<std::pair<std::string_view, std::string_view>>& given() const {
        return values_;
    }

private:
    std::vector<std::pair<std::string_view, std::string_view>> values_;
    std::vector<std::string_view> positionals_;
};

}  // namespace defiance
