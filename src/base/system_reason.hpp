#pragma once

// The words of the system for why a call has failed. Only for sources of the base.

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#endif

#include <cerrno>
#include <string>
#include <system_error>

namespace defiance {

/// What errno says.
inline std::string reason_of_errno(int code) {
    return std::generic_category().message(code);
}

#ifdef _WIN32

/// What GetLastError() or WSAGetLastError() says.
inline std::string reason_of_windows(DWORD code) {
    constexpr DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
                            FORMAT_MESSAGE_MAX_WIDTH_MASK;  // no line ends
    constexpr DWORD longest = 512;
    std::wstring text(longest, L'\0');
    text.resize(FormatMessageW(flags, nullptr, code, 0, text.data(), longest, nullptr));
    while (!text.empty() && (text.back() == L' ' || text.back() == L'.'))
        text.pop_back();
    return text.empty() ? "Windows error " + std::to_string(code) : to_utf8(text);
}

/// What the system says about the call of its own that has just failed.
inline std::string reason_of_last_call() {
    return reason_of_windows(GetLastError());
}

#else

inline std::string reason_of_last_call() {
    return reason_of_errno(errno);
}

#endif

}  // namespace defiance
