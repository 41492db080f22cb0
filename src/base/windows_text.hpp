#pragma once

#ifdef _WIN32

#include <string>
#include <string_view>

namespace defiance {

/// UTF-8 as UTF-16 for the Windows API. Invalid bytes become replacement characters.
[[nodiscard]] std::wstring to_utf16(std::string_view utf8);

/// UTF-16 as UTF-8.
[[nodiscard]] std::string to_utf8(std::wstring_view utf16);

}  // namespace defiance

#endif
