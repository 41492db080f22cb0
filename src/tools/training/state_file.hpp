#pragma once

#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// A file from which an interrupted training goes on: the settings as a line of text, what the
/// trainer says of its state, and a checksum. The state is of this kind of machine only.
[[nodiscard]] bool write_state(const std::string& path, const std::string& settings,
                               std::string_view state);

/// The state in the file. Error, naming the file: it cannot be read, is no such file or damaged, or
/// belongs to other settings.
[[nodiscard]] Result<std::string> read_state(const std::string& path, const std::string& settings);

}  // namespace defiance
