#pragma once

// The games as TEMPLATE_TEST_CASE takes them, which puts the name of a type into that of a test;
// with a list of types there would be a number instead.

#include <type_traits>

#include <defiance/rules/games.hpp>

#define DEFIANCE_GAMES_BUT_ENGLISH Italian, Spanish, Russian, Brazilian, Czech
#define DEFIANCE_EVERY_GAME English, DEFIANCE_GAMES_BUT_ENGLISH

namespace defiance {

static_assert(std::is_same_v<GameList<DEFIANCE_EVERY_GAME>, AllGames>);

}  // namespace defiance
