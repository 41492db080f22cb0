#pragma once

// The rules types of all games, for code that serves every one of them.

#include <defiance/rules/brazilian.hpp>
#include <defiance/rules/czech.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/italian.hpp>
#include <defiance/rules/russian.hpp>
#include <defiance/rules/spanish.hpp>

namespace defiance {

/// A list of rules types.
template <class... Rules>
struct GameList {};

/// Every game. A further one is a further name here; docs/development.md says what else it needs.
using AllGames = GameList<English, Italian, Spanish, Russian, Brazilian, Czech>;

}  // namespace defiance
