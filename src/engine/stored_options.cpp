#include "stored_options.hpp"

#include <defiance/base/assert.hpp>
#include <defiance/base/encoding.hpp>

namespace defiance {
namespace {

template <class Group, std::size_t rows>
Group load_options(SettingsStore& settings, const StoredOption<Group> (&table)[rows]) {
    Group options;
    for (const StoredOption<Group>& option : table)
        if (const auto text = settings.load(std::string(option.name))) option.take(options, *text);
    return options;
}

}  // namespace

bool is_option_path(const std::string& path) {
    return ansi_from_utf8(path).size() <= max_option_path;
}

std::string stored_path(SettingsStore& settings, const char* name) {
    std::string path = settings.load(name).value_or("");
    return is_option_path(path) ? path : std::string();
}

std::optional<std::string> option_text(const Options& options, std::string_view name) {
    const StoredOption<Options>* const option = find_option(option_table, name);
    if (option == nullptr) return std::nullopt;
    return option->text_of(options);
}

std::optional<std::string> option_text(const EndgameOptions& options, std::string_view name) {
    const StoredOption<EndgameOptions>* const option = find_option(endgame_option_table, name);
    if (option == nullptr) return std::nullopt;
    return option->text_of(options);
}

Options stored_options(SettingsStore& settings) {
    return load_options(settings, option_table);
}

EndgameOptions stored_endgame_options(SettingsStore& settings) {
    return load_options(settings, endgame_option_table);
}

void store_endgame_option(SettingsStore& settings, const EndgameOptions& options,
                          std::string_view name) {
    const StoredOption<EndgameOptions>* const option = find_option(endgame_option_table, name);
    DEFIANCE_ASSERT(option != nullptr);
    if (option != nullptr) store_option(settings, options, *option);
}

}  // namespace defiance
