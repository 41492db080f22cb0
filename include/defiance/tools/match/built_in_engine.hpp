#pragma once

#include <memory>

#include <defiance/tools/engine_calls.hpp>

namespace defiance {

/// The engine built into this program, called as CheckerBoard calls an engine. It knows the
/// commands name, get gametype, get protocolversion, set gamehist, set hashsize, set depth and set
/// nodes, and moves only in the position that `set gamehist` led to.
template <class Rules>
[[nodiscard]] std::unique_ptr<EngineCalls> make_built_in_engine();

}  // namespace defiance
