#pragma once

#include <cstdint>

namespace defiance {

/// A number that changes with the moves that the rules allow in some positions of few pieces, so
/// that a database made under other rules is told apart. The same on every build.
template <class Rules>
[[nodiscard]] std::uint32_t rules_fingerprint();

}  // namespace defiance
