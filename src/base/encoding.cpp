#include <defiance/base/encoding.hpp>

#ifdef _WIN32
#include <windows.h>

#include <algorithm>
#include <climits>

#include <defiance/base/assert.hpp>

#include "windows_text.hpp"
#endif

namespace defiance {

#ifdef _WIN32
namespace {

/// The Windows API takes lengths as int.
int size_of(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, INT_MAX / 4));
}

std::wstring decode(UINT code_page, std::string_view text) {
    const int size = size_of(text.size());
    if (size == 0) return {};
    const int length = MultiByteToWideChar(code_page, 0, text.data(), size, nullptr, 0);
    DEFIANCE_ASSERT(length > 0);
    std::wstring wide(static_cast<std::size_t>(std::max(length, 0)), L'\0');
    MultiByteToWideChar(code_page, 0, text.data(), size, wide.data(), length);
    return wide;
}

/// `is_lossy` must be null for UTF-8 (the API demands it) and may be null otherwise.
std::string encode(UINT code_page, std::wstring_view wide, BOOL* is_lossy) {
    const int size = size_of(wide.size());
    if (size == 0) return {};
    // A best-fit character instead of the right one would name another file.
    const DWORD flags = is_lossy == nullptr ? 0 : WC_NO_BEST_FIT_CHARS;
    const int length =
        WideCharToMultiByte(code_page, flags, wide.data(), size, nullptr, 0, nullptr, nullptr);
    DEFIANCE_ASSERT(length > 0 && (code_page != CP_UTF8 || is_lossy == nullptr));
    std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
    WideCharToMultiByte(code_page, flags, wide.data(), size, text.data(), length, nullptr,
                        is_lossy);
    return text;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// True when the text has the same bytes in both encodings.
bool needs_no_conversion(std::string_view text) {
    return is_ascii(text) || GetACP() == CP_UTF8;
}

bool survives_as_ansi(std::string_view utf8) {
    if (needs_no_conversion(utf8)) return true;
    BOOL is_lossy = FALSE;
    static_cast<void>(encode(CP_ACP, to_utf16(utf8), &is_lossy));
    return is_lossy == FALSE;
}

}  // namespace

std::wstring to_utf16(std::string_view utf8) {
    return decode(CP_UTF8, utf8);
}

std::string to_utf8(std::wstring_view utf16) {
    return encode(CP_UTF8, utf16, nullptr);
}

std::string utf8_from_ansi(std::string_view ansi) {
    return needs_no_conversion(ansi) ? std::string(ansi) : to_utf8(decode(CP_ACP, ansi));
}

std::string ansi_from_utf8(std::string_view utf8) {
    if (needs_no_conversion(utf8)) return std::string(utf8);
    BOOL is_lossy = FALSE;
    return encode(CP_ACP, to_utf16(utf8), &is_lossy);
}

std::optional<std::string> path_for_ansi(const std::string& path) {
    if (survives_as_ansi(path)) return path;
    const std::wstring full = to_utf16(path);
    std::wstring brief(GetShortPathNameW(full.c_str(), nullptr, 0), L'\0');
    if (brief.empty()) return std::nullopt;
    const DWORD length =
        GetShortPathNameW(full.c_str(), brief.data(), static_cast<DWORD>(brief.size()));
    if (length == 0 || length >= brief.size()) return std::nullopt;
    brief.resize(length);
    std::string text = to_utf8(brief);
    if (!survives_as_ansi(text)) return std::nullopt;
    return text;
}

#else

std::string utf8_from_ansi(std::string_view ansi) {
    return std::string(ansi);
}

std::string ansi_from_utf8(std::string_view utf8) {
    return std::string(utf8);
}

std::optional<std::string> path_for_ansi(const std::string& path) {
    return path;
}

#endif

}  // namespace defiance
