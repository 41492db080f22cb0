#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace defiance {

// All text inside this program is UTF-8. Windows is asked in UTF-16, which only the sources of this
// layer see. What speaks ANSI, the code page that a Windows is set to, is converted here; on other
// systems these functions return their argument. Safe from several threads.

/// ANSI text as UTF-8. Bytes that mean nothing in the code page become replacement characters.
[[nodiscard]] std::string utf8_from_ansi(std::string_view ansi);

/// UTF-8 text as ANSI. Characters that the code page lacks become '?'.
[[nodiscard]] std::string ansi_from_utf8(std::string_view utf8);

/// A path in UTF-8 that names the same file or folder and loses nothing as ANSI: the path itself or
/// its short (8.3) form. Nothing when it has no such form, because the file does not exist or the
/// disk keeps no short names.
[[nodiscard]] std::optional<std::string> path_for_ansi(const std::string& path);

}  // namespace defiance
