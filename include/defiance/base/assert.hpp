#pragma once

#include <cassert>

/// States what must be true here whatever the input was. Compiled out with NDEBUG, so it must have
/// no side effect and must never guard against bad input from outside.
#define DEFIANCE_ASSERT(condition) assert(condition)
