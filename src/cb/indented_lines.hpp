#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace defiance {

/// The lines, each after a line break and two spaces, in at most `max_bytes` (100 or more). Where
/// they do not all fit, those that begin with `first_mark` come first, what does not fit is left
/// out, and a last line says that there is more.
[[nodiscard]] std::string indented_lines(std::vector<std::string> lines,
                                         std::string_view first_mark, std::size_t max_bytes);

}  // namespace defiance
