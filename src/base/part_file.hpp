#pragma once

// Files that are written beside the place that they are to take. Only for sources of files.

#ifdef _WIN32
#include <windows.h>

#include <defiance/base/try_patiently.hpp>

#include "windows_text.hpp"
#else
#include <unistd.h>
#endif

#include <atomic>
#include <string>

namespace defiance {

#ifdef _WIN32

inline unsigned long process_number() {
    return GetCurrentProcessId();
}

/// Gives a file a new name and waits until the disk has it. ERROR_SUCCESS, or what GetLastError()
/// says. A virus scanner that holds one of the files for a moment is waited for.
inline DWORD move_patiently(const std::string& from, const std::string& to, DWORD flags) {
    const std::wstring old_name = to_utf16(from);
    const std::wstring new_name = to_utf16(to);
    DWORD code = ERROR_SUCCESS;
    static_cast<void>(try_patiently([&] {
        const bool is_done =
            MoveFileExW(old_name.c_str(), new_name.c_str(), flags | MOVEFILE_WRITE_THROUGH) != 0;
        code = is_done ? ERROR_SUCCESS : GetLastError();
        // Access is denied where the file that is to be replaced is open. What else is wrong stays.
        return code != ERROR_ACCESS_DENIED && code != ERROR_SHARING_VIOLATION &&
               code != ERROR_LOCK_VIOLATION && code != ERROR_USER_MAPPED_FILE &&
               code != ERROR_DELETE_PENDING;
    }));
    return code;
}

#else

inline unsigned long process_number() {
    return static_cast<unsigned long>(getpid());
}

#endif

/// What an attempt to create a file has led to.
enum class Creation { done, name_is_taken, failed };

/// Another number at each call. One count for all of the program, because threads may write to the
/// same folder at the same time.
inline unsigned next_part_number() {
    static std::atomic<unsigned> parts_begun = 0;
    return parts_begun++;
}

/// Calls `create` with names of files beside `path` until one is not taken, and tells it in `part`.
/// No other thread or program on this machine tries the same names. When the outcome is not
/// `done`, errno or GetLastError() of the last call says why.
template <class Create>
Creation create_part(const std::string& path, std::string& part, Create create) {
    constexpr int most_attempts = 100;  // programs that were killed may have left such files
    Creation outcome = Creation::name_is_taken;
    for (int i = 0; i < most_attempts && outcome == Creation::name_is_taken; ++i) {
        part = path + '.' + std::to_string(process_number()) + '.' +
               std::to_string(next_part_number());
        outcome = create(part);
    }
    return outcome;
}

}  // namespace defiance
