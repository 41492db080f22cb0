#include <utility>

#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

#include "system_reason.hpp"

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace defiance {

#ifdef _WIN32

struct LockFile::Handle {
    HANDLE file = INVALID_HANDLE_VALUE;
    bool is_held_elsewhere = false;

    ~Handle() {
        if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    }
    [[nodiscard]] bool hold(const std::string& path) {
        // Shared with nobody.
        file = CreateFileW(to_utf16(path).c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr,
                           OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
        is_held_elsewhere = GetLastError() == ERROR_SHARING_VIOLATION;
        return file != INVALID_HANDLE_VALUE;
    }
};

#else

struct LockFile::Handle {
    int file = -1;
    bool is_held_elsewhere = false;

    ~Handle() {
        if (file >= 0) ::close(file);
    }
    [[nodiscard]] bool hold(const std::string& path) {
        file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) return false;
        int status = 0;
        do {
            status = ::flock(file, LOCK_EX | LOCK_NB);
        } while (status != 0 && errno == EINTR);
        is_held_elsewhere = status != 0 && errno == EWOULDBLOCK;
        return status == 0;
    }
};

#endif

LockFile::LockFile(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
LockFile::LockFile(LockFile&&) noexcept = default;
LockFile& LockFile::operator=(LockFile&&) noexcept = default;
LockFile::~LockFile() = default;

Result<LockFile> LockFile::hold(const std::string& path) {
    auto handle = std::make_unique<Handle>();
    if (handle->hold(path)) return LockFile(std::move(handle));
    const std::string reason = reason_of_last_call();
    return file_error(path, handle->is_held_elsewhere ? "is in use by another program"
                                                      : "cannot be created: " + reason);
}

}  // namespace defiance
