#pragma once

#include <string>
#include <string_view>

namespace defiance {

/// The help page built into this module, HTML.
[[nodiscard]] std::string_view help_page();

/// Path of a file with the help page, below 250 bytes: defiance.htm beside the module, or else the
/// built-in page, written to the user's temporary folder under its own name. Empty when that fails.
[[nodiscard]] std::string help_file(const std::string& module_path, const std::string& own_name);

}  // namespace defiance
