#include <defiance/base/file.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "posix_sync.hpp"
#endif

namespace defiance {
namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, Closer>;

#ifdef _WIN32

OpenFile open_file(const std::string& path, const char* mode) {
    std::FILE* file = nullptr;
    const std::wstring name = to_utf16(path);
#ifdef _MSC_VER
    if (_wfopen_s(&file, name.c_str(), to_utf16(mode).c_str()) != 0) file = nullptr;
#else
    file = _wfopen(name.c_str(), to_utf16(mode).c_str());
#endif
    return OpenFile(file);
}

DWORD attributes_of(const std::string& path) {
    return GetFileAttributesW(to_utf16(path).c_str());
}

/// Opens a new file. Null when there is one of this name, or errno says why.
OpenFile create_file(const std::string& path) {
    constexpr int mode = _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT;
    const std::wstring name = to_utf16(path);
    int handle = -1;
#ifdef _MSC_VER
    errno = _wsopen_s(&handle, name.c_str(), mode, _SH_DENYWR, _S_IREAD | _S_IWRITE);
#else
    handle = _wsopen(name.c_str(), mode, _SH_DENYWR, _S_IREAD | _S_IWRITE);
#endif
    return OpenFile(handle < 0 ? nullptr : _fdopen(handle, "wb"));
}

/// Waits until the disk has what was written. 0, or what errno says.
int sync_file(std::FILE* file) {
    return std::fflush(file) == 0 && _commit(_fileno(file)) == 0 ? 0 : errno;
}

/// 0, or why the file has not got its new name, as errno says it. Most often another program has
/// the file open.
int rename_for_good(const std::string& from, const std::string& to) {
    const bool done = MoveFileExW(to_utf16(from).c_str(), to_utf16(to).c_str(),
                                  MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
    return done ? 0 : EACCES;
}

unsigned long process_number() {
    return GetCurrentProcessId();
}

#else

OpenFile open_file(const std::string& path, const char* mode) {
    return OpenFile(std::fopen(path.c_str(), mode));
}

OpenFile create_file(const std::string& path) {
    const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return OpenFile(handle < 0 ? nullptr : ::fdopen(handle, "wb"));
}

int sync_file(std::FILE* file) {
    return std::fflush(file) == 0 ? sync_descriptor(::fileno(file)) : errno;
}

int rename_for_good(const std::string& from, const std::string& to) {
    return std::rename(from.c_str(), to.c_str()) == 0 ? sync_folder_of(to) : errno;
}

unsigned long process_number() {
    return static_cast<unsigned long>(getpid());
}

#endif

bool is_separator(char c) {
    return c == '/' || c == path_separator;
}

/// Creates a file beside `path` that no other thread or program writes, and tells its name in
/// `part`. Null when it cannot be created; errno says why.
OpenFile create_part(const std::string& path, std::string& part) {
    static std::atomic<unsigned> number = 0;
    constexpr int most_attempts = 100;  // programs that were killed may have left such files
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        part = path + '.' + std::to_string(process_number()) + '.' + std::to_string(number++);
        OpenFile file = create_file(part);
        if (file || errno != EEXIST) return file;
    }
    return nullptr;
}

/// Writes all of a file that was created, closes it and waits for the disk. 0, or what errno says.
int write_all(OpenFile file, std::string_view content) {
    errno = EIO;  // what fails need not say why
    const bool is_written =
        std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
    int code = is_written ? sync_file(file.get()) : errno;
    if (std::fclose(file.release()) != 0 && code == 0) code = errno;
    return code;
}

}  // namespace

std::string folder_of(std::string_view path) {
    const std::size_t end = path.find_last_of("/\\");
    return end == std::string_view::npos ? std::string() : std::string(path.substr(0, end + 1));
}

bool is_absolute(std::string_view path) {
#ifdef _WIN32
    return (path.size() >= 2 && path[1] == ':') || (!path.empty() && is_separator(path[0]));
#else
    return !path.empty() && is_separator(path[0]);
#endif
}

std::string full_path(const std::string& path) {
#ifdef _WIN32
    const std::wstring name = to_utf16(path);
    std::wstring full(GetFullPathNameW(name.c_str(), 0, nullptr, nullptr), L'\0');
    const DWORD length =
        GetFullPathNameW(name.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr);
    if (length == 0 || length >= full.size()) return path;
    full.resize(length);
    return to_utf8(full);
#else
    std::error_code problem;
    const std::filesystem::path full = std::filesystem::absolute(path, problem);
    return problem ? path : full.lexically_normal().string();
#endif
}

bool is_same_name(std::string_view a, std::string_view b) {
#ifdef _WIN32
    return equal_ignoring_case(a, b);
#else
    return a == b;
#endif
}

std::string base_name_of(std::string_view path) {
    const std::string_view name = path.substr(folder_of(path).size());
    DEFIANCE_ASSERT(name.find('/') == std::string_view::npos);
    return std::string(name.substr(0, name.find_last_of('.')));
}

bool file_exists(const std::string& path) {
#ifdef _WIN32
    const DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
#else
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
#endif
}

bool folder_exists(const std::string& path) {
#ifdef _WIN32
    const DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
#else
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
#endif
}

bool make_folder(const std::string& path) {
#ifdef _WIN32
    CreateDirectoryW(to_utf16(path).c_str(), nullptr);
#else
    mkdir(path.c_str(), 0777);
#endif
    return folder_exists(path);
}

Error file_error(const std::string& path, const std::string& problem) {
    DEFIANCE_ASSERT(!problem.empty());
    return Error{"the file '" + shown(path, 200) + "' " + problem};
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
    const OpenFile file = open_file(path, "rb");
    if (!file) return file_error(path, "cannot be opened");
    std::string content;
    std::array<char, 65536> block;
    while (const std::size_t length = std::fread(block.data(), 1, block.size(), file.get())) {
        if (length > limit - content.size())
            return file_error(path, "is larger than " + std::to_string(limit) + " bytes");
        content.append(block.data(), length);
    }
    DEFIANCE_ASSERT(content.size() <= limit);
    if (std::ferror(file.get()) != 0) return file_error(path, "cannot be read");
    return content;
}

std::optional<Error> write_file(const std::string& path, std::string_view content) {
    const auto failure = [&](int code) {
        return file_error(path, "cannot be written: " + std::generic_category().message(code));
    };
    std::string part;
    OpenFile file = create_part(path, part);
    if (!file) return failure(errno);
    int code = write_all(std::move(file), content);
    // Not before the disk has the content: after a power failure the name could lead to nothing.
    if (code == 0) code = rename_for_good(part, path);
    if (code == 0) return std::nullopt;
    remove_file(part);
    return failure(code);
}

bool rename_file(const std::string& from, const std::string& to) {
    return rename_for_good(from, to) == 0;
}

void remove_file(const std::string& path) {
#ifdef _WIN32
    DeleteFileW(to_utf16(path).c_str());
#else
    std::remove(path.c_str());
#endif
}

}  // namespace defiance
