#include <defiance/base/random_access_file.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace defiance {
namespace {

/// Read with one system call at most.
constexpr std::size_t max_bytes_at_once = std::size_t{1} << 30;

#ifdef _WIN32

HANDLE handle_of(std::intptr_t handle) {
    return reinterpret_cast<HANDLE>(handle);
}

void close(std::intptr_t handle) {
    CloseHandle(handle_of(handle));
}

/// Number of bytes read; 0 at the end of the file and on failure.
std::size_t read_some(std::intptr_t handle, std::uint64_t offset, std::span<std::uint8_t> into) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    DWORD count = 0;
    if (ReadFile(handle_of(handle), into.data(), static_cast<DWORD>(into.size()), &count, &place) ==
        0)
        return 0;
    return count;
}

#else

void close(std::intptr_t handle) {
    ::close(static_cast<int>(handle));
}

std::size_t read_some(std::intptr_t handle, std::uint64_t offset, std::span<std::uint8_t> into) {
    if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) return 0;
    for (;;) {
        const ssize_t count =
            ::pread(static_cast<int>(handle), into.data(), into.size(), static_cast<off_t>(offset));
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) return 0;
    }
}

#endif

}  // namespace

#ifdef _WIN32

Result<RandomAccessFile> RandomAccessFile::open(const std::string& path) {
    const HANDLE file = CreateFileW(to_utf16(path).c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return file_error(path, "cannot be opened");
    RandomAccessFile opened(reinterpret_cast<Handle>(file), 0);
    LARGE_INTEGER bytes{};
    if (GetFileType(file) != FILE_TYPE_DISK || GetFileSizeEx(file, &bytes) == 0)
        return file_error(path, "cannot be read");
    opened.size_ = static_cast<std::uint64_t>(bytes.QuadPart);
    return opened;
}

#else

Result<RandomAccessFile> RandomAccessFile::open(const std::string& path) {
    // O_NONBLOCK, because opening a named pipe would block for ever.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return file_error(path, "cannot be opened");
    RandomAccessFile opened(file, 0);
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return file_error(path, "cannot be read");
    opened.size_ = static_cast<std::uint64_t>(status.st_size);
    return opened;
}

#endif

RandomAccessFile::RandomAccessFile(RandomAccessFile&& other) noexcept
    : handle_(std::exchange(other.handle_, none)), size_(std::exchange(other.size_, 0)) {}

RandomAccessFile& RandomAccessFile::operator=(RandomAccessFile&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(size_, other.size_);
    return *this;
}

RandomAccessFile::~RandomAccessFile() {
    DEFIANCE_ASSERT(handle_ != none || size_ == 0);
    if (handle_ != none) close(handle_);
}

bool RandomAccessFile::read_at(std::uint64_t offset, std::span<std::uint8_t> into) const {
    if (offset > size_ || into.size() > size_ - offset) return false;
    while (!into.empty()) {
        const std::size_t count =
            read_some(handle_, offset, into.first(std::min(into.size(), max_bytes_at_once)));
        if (count == 0) return false;
        DEFIANCE_ASSERT(count <= into.size());
        offset += count;
        into = into.subspan(count);
    }
    return true;
}

Result<std::vector<std::uint8_t>> RandomAccessFile::read_part(std::uint64_t offset,
                                                              std::uint64_t size) const {
    if (offset > size_ || size > size_ - offset) return Error{"it cannot be read"};
    // A large allocation must leave memory for the rest of the program.
    constexpr std::uint64_t small = 1 << 20;
    if (size > small && size > available_memory_bytes() / 2)
        return Error{"there is too little memory for it"};
    std::vector<std::uint8_t> bytes;
    try {
        bytes.resize(static_cast<std::size_t>(size));
    } catch (const std::bad_alloc&) {
        return Error{"there is too little memory for it"};
    } catch (const std::length_error&) {
        return Error{"there is too little memory for it"};
    }
    if (!read_at(offset, bytes)) return Error{"it cannot be read"};
    return bytes;
}

}  // namespace defiance
