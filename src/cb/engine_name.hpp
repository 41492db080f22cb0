#pragma once

#include <string>

#include <defiance/base/version.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {

/// Name of the engine: at most 30 characters, because CheckerBoard cuts the titles of matches
/// there.
[[nodiscard]] inline std::string engine_name(const GameRules& rules) {
    return "Defiance " + std::string(short_version) + ' ' + std::string(rules.name) +
           (sizeof(void*) == 8 ? " x64" : " x86");
}

}  // namespace defiance
