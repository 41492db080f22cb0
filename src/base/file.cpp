#include <defiance/base/file.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
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

bool rename_over(const std::string& from, const std::string& to) {
    return MoveFileExW(to_utf16(from).c_str(), to_utf16(to).c_str(), MOVEFILE_REPLACE_EXISTING) !=
           0;
}

bool rename_for_good(const std::string& from, const std::string& to) {
    return MoveFileExW(to_utf16(from).c_str(), to_utf16(to).c_str(),
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
}

unsigned long process_number() {
    return GetCurrentProcessId();
}

#else

OpenFile open_file(const std::string& path, const char* mode) {
    return OpenFile(std::fopen(path.c_str(), mode));
}

bool rename_over(const std::string& from, const std::string& to) {
    return std::rename(from.c_str(), to.c_str()) == 0;
}

bool rename_for_good(const std::string& from, const std::string& to) {
    if (!rename_over(from, to)) return false;
    // The name is part of the folder.
    const std::string folder = folder_of(to);
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return false;
    const bool done = ::fsync(handle) == 0;
    ::close(handle);
    return done;
}

unsigned long process_number() {
    return static_cast<unsigned long>(getpid());
}

#endif

bool is_separator(char c) {
    return c == '/' || c == path_separator;
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

bool write_file(const std::string& path, std::string_view content) {
    const std::string part = path + '.' + std::to_string(process_number());
    OpenFile file = open_file(part, "wb");
    if (!file) return false;
    const bool written =
        std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
    if (std::fclose(file.release()) == 0 && written && rename_over(part, path)) return true;
    remove_file(part);
    return false;
}

bool rename_file(const std::string& from, const std::string& to) {
    return rename_for_good(from, to);
}

void remove_file(const std::string& path) {
#ifdef _WIN32
    DeleteFileW(to_utf16(path).c_str());
#else
    std::remove(path.c_str());
#endif
}

}  // namespace defiance
