#pragma once

#include <string>
#include <string_view>

#include <defiance/base/settings.hpp>
#include <defiance/engine/endgame_keeper.hpp>
#include <defiance/engine/options.hpp>

// The options as they are stored. What is missing or out of bounds has its default.
namespace defiance {

[[nodiscard]] Options stored_options(SettingsStore& settings);
/// Stores the option of this name alone: another program may have changed the others.
void store_option(SettingsStore& settings, const Options& options, std::string_view name);

[[nodiscard]] EndgameOptions stored_endgame_options(SettingsStore& settings);
/// The same for an option of the databases.
void store_endgame_option(SettingsStore& settings, const EndgameOptions& options,
                          std::string_view name);

/// A stored path; empty when there is none or it is longer than any that can be set.
[[nodiscard]] std::string stored_path(SettingsStore& settings, const char* name);

}  // namespace defiance
