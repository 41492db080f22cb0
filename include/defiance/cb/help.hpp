#pragma once

#include <string>
#include <string_view>

namespace defiance {

/// Path of a file with the help page, in UTF-8 but fit for ANSI, in which it has less than 250
/// bytes: defiance.htm beside the module, or else `page`, written to the user's temporary folder
/// under its own name. Empty when that fails.
[[nodiscard]] std::string help_file(const std::string& module_path, const std::string& own_name,
                                    std::string_view page);

}  // namespace defiance
