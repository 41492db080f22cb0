// The parameters of a Hub session: how they are declared and set.

#include <algorithm>
#include <array>
#include <iterator>

#include <defiance/base/text.hpp>
#include <defiance/base/version.hpp>
#include <tools/support/games.hpp>
#include <tools/support/hub_session.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t max_hub_hash = max_hash_mebibytes_for(sizeof(void*));

std::string_view word_of(bool value) {
    return value ? "true" : "false";
}

Error number_needed(std::int64_t min, std::int64_t max) {
    return {"a number from " + std::to_string(min) + " to " + std::to_string(max) + " is needed"};
}

}  // namespace

bool HubSession::introduce() {
    std::string variants;
    for (const GameCore* core : built_games())
        variants += (variants.empty() ? "" : " ") + std::string(core->rules.file_word);
    const auto parameter = [](std::string_view name, std::string_view value,
                              std::string_view type) {
        return hub_line("param").add("name", name).add("value", value).add("type", type);
    };
    const HubLine lines[] = {
        hub_line("id")
            .add("name", "Defiance")
            .add("version", version)
            .add("author", "the Defiance authors"),
        parameter("variant", rules().file_word, "enum").add("values", variants),
        parameter("hash", std::to_string(parameters_.hash_mebibytes), "int")
            .add("min", "1")
            .add("max", std::to_string(max_hub_hash)),
        parameter("threads", std::to_string(parameters_.search_threads), "int")
            .add("min", "1")
            .add("max", std::to_string(max_search_threads)),
        parameter("egdb", word_of(parameters_.uses_endgames), "bool"),
        parameter("egdb-path", parameters_.endgame_folder, "string"),
        parameter("book", std::to_string(static_cast<int>(parameters_.book)), "int")
            .add("min", "0")
            .add("max", std::to_string(max_book_use)),
        parameter("hintpolicy", name_of(parameters_.hint_policy), "enum")
            .add("values", "trust verify ignore"),
        hub_line("wait"),
    };
    return std::all_of(std::begin(lines), std::end(lines),
                       [this](const HubLine& line) { return send(line); });
}

bool HubSession::set_parameter(const HubLine& line) {
    const auto name = line.value("name");
    const auto value = line.value("value");
    if (!name || !value) return complain("set-param needs name= and value=");
    const auto problem = try_parameter(*name, *value);
    return !problem || complain("'" + shown(*name) + "': " + problem->text);
}

std::optional<Error> HubSession::try_parameter(std::string_view name, std::string_view value) {
    struct Known {
        std::string_view name;
        std::optional<Error> (HubSession::*set)(std::string_view);
    };
    constexpr std::array known = {
        Known{"variant", &HubSession::set_variant},
        Known{"hash", &HubSession::set_hash},
        Known{"threads", &HubSession::set_threads},
        Known{"egdb", &HubSession::set_endgames},
        Known{"egdb-path", &HubSession::set_endgame_folder},
        Known{"book", &HubSession::set_book},
        Known{"hintpolicy", &HubSession::set_hint_policy},
    };
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.name == name; });
    if (found == known.end()) return Error{"there is no such parameter"};
    return (this->*found->set)(value);
}

std::optional<Error> HubSession::set_variant(std::string_view value) {
    const GameCore* core = find_game(value);
    if (core == nullptr) return Error{"'" + shown(value) + "' is not played here"};
    if (core == parameters_.variant) return std::nullopt;
    parameters_.variant = core;
    make_engine();
    game_.emplace(rules(), rules().start_position());
    return std::nullopt;
}

std::optional<Error> HubSession::set_hash(std::string_view value) {
    const auto size = parse_integer(value, 1, max_hub_hash);
    if (!size) return number_needed(1, max_hub_hash);
    const auto taken = engine_->set_hash_mebibytes(static_cast<std::uint32_t>(*size));
    if (!taken) return Error{taken.error()};
    wanted_hash_mebibytes_ = *taken;
    parameters_.hash_mebibytes = *taken;
    hash_problem_.clear();
    return std::nullopt;
}

std::optional<Error> HubSession::set_threads(std::string_view value) {
    const auto threads = parse_integer(value, 1, max_search_threads);
    if (!threads) return number_needed(1, max_search_threads);
    parameters_.search_threads = static_cast<int>(*threads);
    engine_->set_search_threads(parameters_.search_threads);
    return std::nullopt;
}

std::optional<Error> HubSession::set_endgames(std::string_view value) {
    if (value != "true" && value != "false") return Error{"true or false is needed"};
    parameters_.uses_endgames = value == "true";
    use_endgames();
    return std::nullopt;
}

std::optional<Error> HubSession::set_endgame_folder(std::string_view value) {
    parameters_.endgame_folder = value;
    use_endgames();
    return std::nullopt;
}

std::optional<Error> HubSession::set_book(std::string_view value) {
    const auto use = parse_integer(value, 0, max_book_use);
    if (!use) return number_needed(0, max_book_use);
    parameters_.book = static_cast<BookUse>(*use);
    engine_->set_book(parameters_.book);
    return std::nullopt;
}

std::optional<Error> HubSession::set_hint_policy(std::string_view value) {
    const auto policy = find_hint_policy(value);
    if (!policy) return Error{"trust, verify or ignore is needed"};
    parameters_.hint_policy = *policy;
    engine_->set_hint_policy(*policy);
    return std::nullopt;
}

}  // namespace defiance
