#pragma once

#include <defiance/eval/network.hpp>

namespace defiance {

/// The evaluation network that is a part of the program; null for a game that has none. Safe from
/// any thread; the first call takes less than a millisecond.
template <class Rules>
[[nodiscard]] const Network* embedded_network();

}  // namespace defiance
