#pragma once

#include <string>

namespace defiance {

/// True when both paths lead to one file, also by way of links. A file that does not exist yet is
/// known by its path only.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

}  // namespace defiance
