#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace defiance {

// All text in this program is UTF-8; UTF-16 is used only inside this layer, for calls of Windows.
// These functions convert from and to ANSI, the code page of a Windows installation; on other
// systems they return their argument. Safe from several threads.

/// ANSI text as UTF-8. Bytes not in the code page become replacement characters.
[[nodiscard]] std::string utf8_from_ansi(std::string_view ansi);

/// UTF-8 text as ANSI. Characters not in the code page become '?'.
[[nodiscard]] std::string ansi_from_utf8(std::string_view utf8);

/// The same file or folder under a path that ANSI can represent: the path itself or its short (8.3)
/// form. Nothing when it has no such form: the file does not exist or the disk has no short names.
[[nodiscard]] std::optional<std::string> path_for_ansi(const std::string& path);

}  // namespace defiance
