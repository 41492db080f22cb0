#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

#include "part_file.hpp"
#include "system_reason.hpp"

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "posix_sync.hpp"
#endif

namespace defiance {

#ifdef _WIN32

struct AppendFile::Handle {
    HANDLE file = INVALID_HANDLE_VALUE;
    ~Handle() {
        if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    }
    [[nodiscard]] bool open(const std::string& path, DWORD way = OPEN_ALWAYS) {
        file = CreateFileW(to_utf16(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ,
                           nullptr, way, FILE_ATTRIBUTE_NORMAL, nullptr);
        return file != INVALID_HANDLE_VALUE;
    }
    [[nodiscard]] Creation create(const std::string& path) {
        if (open(path, CREATE_NEW)) return Creation::done;
        return GetLastError() == ERROR_FILE_EXISTS ? Creation::name_is_taken : Creation::failed;
    }
    [[nodiscard]] bool go_to(LONGLONG place, DWORD from) const {
        LARGE_INTEGER distance;
        distance.QuadPart = place;
        return SetFilePointerEx(file, distance, nullptr, from) != 0;
    }
    [[nodiscard]] long write(std::string_view text) const {
        // Both all ones: at the end of the file, wherever a thread that reads has left the pointer.
        OVERLAPPED place{};
        place.Offset = place.OffsetHigh = 0xFFFFFFFF;
        const auto size = static_cast<DWORD>(std::min<std::size_t>(text.size(), 1 << 30));
        DWORD count = 0;
        return WriteFile(file, text.data(), size, &count, &place) != 0 ? static_cast<long>(count)
                                                                       : -1;
    }
    [[nodiscard]] long read(std::uint64_t offset, std::span<std::uint8_t> into) const {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset);
        place.OffsetHigh = static_cast<DWORD>(offset >> 32);
        const auto size = static_cast<DWORD>(std::min<std::size_t>(into.size(), 1 << 30));
        DWORD count = 0;
        return ReadFile(file, into.data(), size, &count, &place) != 0 ? static_cast<long>(count)
                                                                      : -1;
    }
    [[nodiscard]] bool sync() const { return FlushFileBuffers(file) != 0; }
    [[nodiscard]] std::optional<std::uint64_t> size() const {
        LARGE_INTEGER bytes{};
        if (GetFileSizeEx(file, &bytes) == 0) return std::nullopt;
        return static_cast<std::uint64_t>(bytes.QuadPart);
    }
    [[nodiscard]] bool cut(std::uint64_t bytes) const {
        return go_to(static_cast<LONGLONG>(bytes), FILE_BEGIN) && SetEndOfFile(file) != 0;
    }
};

#else

struct AppendFile::Handle {
    int file = -1;
    ~Handle() {
        if (file >= 0) ::close(file);
    }
    static constexpr int mode = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
    [[nodiscard]] bool open(const std::string& path) {
        // What sync() has confirmed would be lost with the name of a new file.
        if (create(path) == Creation::done) return sync_folder_of(path) == 0;
        file = ::open(path.c_str(), mode, 0666);
        return file >= 0;
    }
    [[nodiscard]] Creation create(const std::string& path) {
        file = ::open(path.c_str(), mode | O_EXCL, 0666);
        if (file >= 0) return Creation::done;
        return errno == EEXIST ? Creation::name_is_taken : Creation::failed;
    }
    [[nodiscard]] long write(std::string_view text) const {
        for (;;) {
            const ssize_t count = ::write(file, text.data(), text.size());
            if (count >= 0 || errno != EINTR) return static_cast<long>(count);
        }
    }
    [[nodiscard]] long read(std::uint64_t offset, std::span<std::uint8_t> into) const {
        for (;;) {
            const ssize_t count =
                ::pread(file, into.data(), into.size(), static_cast<off_t>(offset));
            if (count >= 0 || errno != EINTR) return static_cast<long>(count);
        }
    }
    [[nodiscard]] bool sync() const { return sync_descriptor(file) == 0; }
    [[nodiscard]] std::optional<std::uint64_t> size() const {
        struct stat status {};
        if (::fstat(file, &status) != 0) return std::nullopt;
        return static_cast<std::uint64_t>(status.st_size);
    }
    [[nodiscard]] bool cut(std::uint64_t bytes) const {
        return ::ftruncate(file, static_cast<off_t>(bytes)) == 0;
    }
};

#endif

AppendFile::AppendFile(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
AppendFile::AppendFile(AppendFile&&) noexcept = default;
AppendFile& AppendFile::operator=(AppendFile&&) noexcept = default;
AppendFile::~AppendFile() = default;

Result<AppendFile> AppendFile::open(const std::string& path) {
    auto handle = std::make_unique<Handle>();
    if (!handle->open(path)) {
        const std::string reason = reason_of_last_call();
        return file_error(path, "cannot be opened for writing: " + reason);
    }
    return AppendFile(std::move(handle));
}

Result<AppendFile> AppendFile::create_part(const std::string& path, std::string& part) {
    auto handle = std::make_unique<Handle>();
    const auto create = [&](const std::string& name) { return handle->create(name); };
    if (defiance::create_part(path, part, create) != Creation::done) {
        const std::string reason = reason_of_last_call();
        return file_error(path, "cannot be opened for writing: " + reason);
    }
    return AppendFile(std::move(handle));
}

bool AppendFile::append(std::string_view text) {
    DEFIANCE_ASSERT(handle_ != nullptr);
    while (!text.empty()) {
        const long count = handle_->write(text);
        if (count <= 0) {
            problem_ = reason_of_last_call();
            return false;
        }
        DEFIANCE_ASSERT(static_cast<std::size_t>(count) <= text.size());
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool AppendFile::sync() {
    DEFIANCE_ASSERT(handle_ != nullptr);
    return handle_->sync();
}

bool AppendFile::read_at(std::uint64_t offset, std::span<std::uint8_t> into) const {
    DEFIANCE_ASSERT(handle_ != nullptr);
    while (!into.empty()) {
        const long count = handle_->read(offset, into);
        if (count <= 0) return false;
        DEFIANCE_ASSERT(static_cast<std::size_t>(count) <= into.size());
        offset += static_cast<std::uint64_t>(count);
        into = into.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

std::optional<std::uint64_t> AppendFile::size() const {
    DEFIANCE_ASSERT(handle_ != nullptr);
    return handle_->size();
}

bool AppendFile::cut(std::uint64_t size) {
    DEFIANCE_ASSERT(handle_ != nullptr);
    return handle_->cut(size);
}

}  // namespace defiance
