#include <defiance/base/file.hpp>

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace defiance {

#ifdef _WIN32

bool write_private_file(const std::string& path, std::string_view content) {
    const HANDLE file = CreateFileW(to_utf16(path).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    DWORD written = 0;
    const bool is_whole = WriteFile(file, content.data(), static_cast<DWORD>(content.size()),
                                    &written, nullptr) != 0 &&
                          written == content.size();
    if (CloseHandle(file) != 0 && is_whole) return true;
    // A part of a secret would be taken for a whole one later.
    remove_file(path);
    return false;
}

#else

bool write_private_file(const std::string& path, std::string_view content) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return false;
    const ssize_t written = ::write(file, content.data(), content.size());
    if (::close(file) == 0 && written == static_cast<ssize_t>(content.size())) return true;
    // A part of a secret would be taken for a whole one later.
    remove_file(path);
    return false;
}

#endif

}  // namespace defiance
