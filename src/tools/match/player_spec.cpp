#include <tools/match/player_spec.hpp>

#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/text.hpp>
#include <defiance/search/parameters.hpp>

namespace defiance {
namespace {

/// The parts between single semicolons; a double one stands for one inside a part.
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_semicolon = text[i] == ';';
        if (is_semicolon && (i + 1 == text.size() || text[i + 1] != ';')) {
            parts.emplace_back();
            continue;
        }
        if (is_semicolon) ++i;
        parts.back() += text[i];
    }
    return parts;
}

Error wrong_part(std::string_view part, std::string_view reason) {
    DEFIANCE_ASSERT(!reason.empty());
    return Error{"'" + shown(part, 120) + "': " + std::string(reason)};
}

/// Reads the part before the first semicolon.
Result<PlayerSpec> parse_kind(std::string_view part) {
    PlayerSpec spec;
    const std::size_t colon = part.find(':');
    const std::string_view kind = part.substr(0, colon);
    if (colon != std::string_view::npos) spec.target = trimmed(part.substr(colon + 1));
    if (part == "self") return spec;
    if (part == "random") {
        spec.kind = PlayerSpec::Kind::random;
        return spec;
    }
    const bool is_program = kind == "mw" || kind == "hub";
    if (!is_program && kind != "dll" && kind != "so")
        return wrong_part(part,
                          "a player is self, random, dll:FILE, so:FILE, mw:COMMAND or hub:COMMAND");
    spec.kind = kind == "mw"    ? PlayerSpec::Kind::middleware
                : kind == "hub" ? PlayerSpec::Kind::hub
                                : PlayerSpec::Kind::library;
    if (spec.target.empty()) return wrong_part(part, "what comes after the colon is missing");
    const auto words = split_command(spec.target);
    if (is_program && (!words || words->empty()))
        return wrong_part(part, "a quotation mark has no partner");
    return spec;
}

constexpr std::string_view parameter_form = "param=NAME=VALUE is needed";

/// Name and value of `param=`; nothing when it has another form.
std::optional<std::pair<std::string, std::string>> parameter_in(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return std::nullopt;
    return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

/// What `self` prunes by.
std::string problem_of_search_parameter(PlayerSpec& spec, std::string_view text) {
    DEFIANCE_ASSERT(spec.kind == PlayerSpec::Kind::self);
    const auto parameter = parameter_in(text);
    if (!parameter) return std::string(parameter_form);
    SearchParameters checked;
    const auto& [name, value] = *parameter;
    if (const auto problem = set_search_parameter(checked, name, value)) return problem->text;
    spec.commands.push_back("set parameter " + name + ' ' + value);
    return {};
}

/// A setting of a player that speaks the Hub protocol.
std::string problem_of_hub_setting(PlayerSpec& spec, std::string_view key, std::string_view value) {
    DEFIANCE_ASSERT(spec.kind == PlayerSpec::Kind::hub);
    if (key == "param") {
        const auto parameter = parameter_in(value);
        if (!parameter) return std::string(parameter_form);
        spec.parameters.push_back(*parameter);
        return {};
    }
    if (key != "depth" && key != "nodes") return "this player has no such setting";
    const auto number = parse_integer(value, 1, INT64_MAX);
    (key == "depth" ? spec.depth : spec.nodes) = number.value_or(0);
    return number ? "" : "a whole number above 0 is needed";
}

std::string problem_of_setting(PlayerSpec& spec, std::string_view key, std::string_view value) {
    const bool is_engine =
        spec.kind == PlayerSpec::Kind::self || spec.kind == PlayerSpec::Kind::library;
    if (key == "name") {
        spec.name = shown(value, 60);
        return value.empty() ? "a name is needed" : "";
    }
    if (key == "folder") {
        spec.folder = value;
        return value.empty() ? "a folder is needed" : "";
    }
    if (key == "time") {
        const auto factor = parse_decimal(value, 1000);
        spec.time_factor = factor.value_or(0);
        return spec.time_factor > 0 ? "" : "a factor above 0, at most 1000, is needed";
    }
    if (key == "seed" && spec.kind == PlayerSpec::Kind::random) {
        const auto seed = parse_integer(value, 0, INT64_MAX);
        spec.seed = static_cast<std::uint64_t>(seed.value_or(0));
        return seed ? "" : "a whole number is needed";
    }
    if (key == "setup" && spec.kind == PlayerSpec::Kind::middleware) {
        spec.takes_positions = value == "1";
        return value == "0" || value == "1" ? "" : "0 or 1 is needed";
    }
    if (spec.kind == PlayerSpec::Kind::hub) return problem_of_hub_setting(spec, key, value);
    if (key == "param" && spec.kind == PlayerSpec::Kind::self)
        return problem_of_search_parameter(spec, value);
    if (!is_engine) return "this player has no such setting";
    if (key == "send") {
        spec.commands.emplace_back(value);
        return value.empty() ? "a command is needed" : "";
    }
    const std::string_view option = key == "hash" ? "hashsize" : key;
    if (key != "hash" && key != "depth" && key != "nodes") return "this player has no such setting";
    spec.commands.push_back("set " + std::string(option) + ' ' + std::string(value));
    return parse_integer(value, 1, INT64_MAX) ? "" : "a whole number above 0 is needed";
}

}  // namespace

Result<PlayerSpec> parse_player(std::string_view text) {
    const std::vector<std::string> parts = parts_of(text);
    DEFIANCE_ASSERT(!parts.empty());
    Result<PlayerSpec> spec = parse_kind(parts[0]);
    if (!spec) return spec;
    PlayerSpec result = *spec;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string_view part = parts[i];
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos) return wrong_part(part, "key=value is needed");
        const std::string problem =
            problem_of_setting(result, part.substr(0, equals), part.substr(equals + 1));
        if (!problem.empty()) return wrong_part(part, problem);
    }
    DEFIANCE_ASSERT(result.time_factor > 0);
    return result;
}

std::uint64_t seed_of_game(std::uint64_t seed, std::size_t player, std::size_t game) {
    constexpr std::uint64_t far_apart = 0x9E3779B97F4A7C15U;
    return Random(seed * 1'000'003 + game + player * far_apart).next() >> 1;
}

std::string name_by_target(const PlayerSpec& spec) {
    switch (spec.kind) {
        case PlayerSpec::Kind::random:
            return "random";
        case PlayerSpec::Kind::middleware:
        case PlayerSpec::Kind::hub:
            return base_name_of(split_command(spec.target)->front());
        default:
            return base_name_of(spec.target);
    }
}

}  // namespace defiance
