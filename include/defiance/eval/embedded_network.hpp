#pragma once

#include <defiance/eval/network.hpp>

namespace defiance {

/// The evaluation network of the game, which is a part of the program. Safe from any thread; the
/// first call takes less than a millisecond. In a build whose network cannot be read it ends the
/// program with a message.
template <class Rules>
[[nodiscard]] const Network& embedded_network();

}  // namespace defiance
