#pragma once

#include <string_view>

namespace defiance {

/// A block of bytes kept in the resources of this module under the name; empty when there is none.
/// Only Windows has resources: elsewhere it is always empty.
[[nodiscard]] std::string_view find_resource(const char* name);

}  // namespace defiance
