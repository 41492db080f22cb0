#pragma once

#include <defiance/rules/brazilian.hpp>
#include <defiance/rules/czech.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/italian.hpp>
#include <defiance/rules/russian.hpp>
#include <defiance/rules/spanish.hpp>

/// Calls the macro X with each rules type. Source files of templates on the rules type end with it
/// to instantiate them for every game.
#define DEFIANCE_FOR_EACH_GAME(X) X(English) X(Italian) X(Spanish) X(Russian) X(Brazilian) X(Czech)
