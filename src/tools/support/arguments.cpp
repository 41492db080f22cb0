#include <tools/support/arguments.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr Option game_option = text_option("game");

bool is_option(std::string_view word) {
    return word.size() > 1 && word[0] == '-';
}

/// An option as it was written: `--name`, or `--name=value`.
struct WrittenOption {
    std::string_view word;  ///< with the hyphens
    std::optional<std::string_view> value;
};

WrittenOption split_option(std::string_view word) {
    const std::size_t end = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    if (end == std::string_view::npos) return {word, std::nullopt};
    return {word.substr(0, end), word.substr(end + 1)};
}

const Option* find_option(const Syntax& syntax, std::string_view word) {
    if (!word.starts_with("--")) return nullptr;
    word.remove_prefix(2);
    if (word == game_option.name) return syntax.takes_game ? &game_option : nullptr;
    for (const Option& option : syntax.options)
        if (option.name == word) return &option;
    return nullptr;
}

std::string hyphened(const Option& option) {
    return "--" + std::string(option.name);
}

std::string range_of(const Option& option) {
    DEFIANCE_ASSERT(option.least <= option.most);
    return "from " + std::to_string(option.least) + " to " + std::to_string(option.most);
}

/// What is wrong with the value, or an empty text.
std::string find_problem(const Option& option, std::string_view value) {
    // A script whose variable is empty is not to go on without its files.
    if (option.is_name && value.empty()) return hyphened(option) + " needs a name, not ''";
    if (option.kind == Option::Kind::integer && !parse_integer(value, option.least, option.most))
        return hyphened(option) + " takes a whole number " + range_of(option) + ", not '" +
               shown(value) + "'";
    if (option.kind == Option::Kind::decimal &&
        !parse_decimal(value, static_cast<double>(option.most)))
        return hyphened(option) + " takes a number " + range_of(option) + ", not '" + shown(value) +
               "'";
    return {};
}

/// What to say when words are missing. A word that has several names is a task.
std::string missing_words(const Syntax& syntax) {
    const std::string names(syntax.positional);
    if (syntax.min_positionals > 1)
        return std::to_string(syntax.min_positionals) + " words are needed: " + names;
    return names.find(' ') == std::string::npos ? names + " is missing"
                                                : "a task is missing: " + names;
}

/// What is missing or too much once all words are read, or an empty text.
std::string find_gap(const Syntax& syntax, const Arguments& arguments) {
    for (const Option& option : syntax.options)
        if (option.is_required && !arguments.has(option.name))
            return hyphened(option) + " is missing";
    const auto& words = arguments.positionals();
    if (words.size() > syntax.max_positionals)
        return "'" + shown(words[syntax.max_positionals]) + "' is one word too many";
    if (words.size() < syntax.min_positionals) return missing_words(syntax);
    return {};
}

}  // namespace

Result<Arguments> Arguments::parse(const Syntax& syntax, std::span<const std::string_view> words) {
    DEFIANCE_ASSERT(syntax.min_positionals <= syntax.max_positionals);
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!is_option(words[i])) {
            arguments.positionals_.push_back(words[i]);
            continue;
        }
        const WrittenOption written = split_option(words[i]);
        const Option* option = find_option(syntax, written.word);
        if (option == nullptr) return Error{"there is no option '" + shown(written.word) + "'"};
        if (arguments.has(option->name)) return Error{hyphened(*option) + " is given twice"};
        const bool is_flag = option->kind == Option::Kind::flag;
        if (is_flag && written.value) return Error{hyphened(*option) + " takes no value"};
        std::string_view value = written.value.value_or("");
        if (!is_flag && !written.value) {
            if (i + 1 == words.size() || words[i + 1].starts_with("--"))
                return Error{hyphened(*option) + " needs a value"};
            value = words[++i];
        }
        std::string problem = find_problem(*option, value);
        if (!problem.empty()) return Error{std::move(problem)};
        DEFIANCE_ASSERT(!option->name.empty() && !arguments.has(option->name));
        arguments.values_.emplace_back(option->name, value);
    }
    std::string gap = find_gap(syntax, arguments);
    if (!gap.empty()) return Error{std::move(gap)};
    return arguments;
}

bool Arguments::has(std::string_view name) const {
    return text(name).has_value();
}

std::optional<std::string_view> Arguments::text(std::string_view name) const {
    for (const auto& [key, value] : values_)
        if (key == name) return value;
    return std::nullopt;
}

std::optional<std::int64_t> Arguments::integer(std::string_view name) const {
    const auto value = text(name);
    if (!value) return std::nullopt;
    return parse_integer(*value, std::numeric_limits<std::int64_t>::min(),
                         std::numeric_limits<std::int64_t>::max());
}

std::optional<double> Arguments::decimal(std::string_view name) const {
    const auto value = text(name);
    if (!value) return std::nullopt;
    return parse_decimal(*value, std::numeric_limits<double>::max());
}

}  // namespace defiance
