#pragma once

#include <string>

#include <defiance/base/random.hpp>

namespace defiance::fuzz {

/// A command for an engine: some that it knows, more that are damaged, some without any sense.
/// Never the end mark inside.
[[nodiscard]] std::string random_command(Random& random);

}  // namespace defiance::fuzz
