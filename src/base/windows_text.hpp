#pragma once

#ifdef _WIN32

#include <string>
#include <string_view>

namespace defiance {

/// UTF-8 as the UTF-16 that Windows takes. What is not valid becomes replacement characters.
[[nodiscard]] std::wstring to_utf16(std::string_view utf8);

/// The opposite way.
[[nodiscard]] std::string to_utf8(std::wstring_view utf16);

}  // namespace defiance

#endif
