#pragma once

#include <cassert>

/// States an invariant, which holds for every input. Compiled out with NDEBUG, so it must have no
/// side effect and must not be used to validate input.
#define DEFIANCE_ASSERT(condition) assert(condition)
