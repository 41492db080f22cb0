#include <defiance/base/file.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

#include "part_file.hpp"
#include "system_reason.hpp"

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
#include <system_error>

#include "posix_sync.hpp"
#endif

namespace defiance {
namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, Closer>;

/// What has become of giving a file another name.
struct Renaming {
    bool has_name = false;
    std::string problem;  ///< empty when it has the name on the disk, too
};

#ifdef _WIN32

OpenFile open_file(const std::string& path, const char* mode) {
    // What others are writing, such as the games of a match, can be read meanwhile.
    return OpenFile(_wfsopen(to_utf16(path).c_str(), to_utf16(mode).c_str(), _SH_DENYNO));
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

Renaming rename_for_good(const std::string& from, const std::string& to) {
    const DWORD code = move_patiently(from, to, MOVEFILE_REPLACE_EXISTING);
    if (code != ERROR_SUCCESS) return {false, reason_of_windows(code)};
    return {true, {}};
}

constexpr DWORD nothing_above = ERROR_PATH_NOT_FOUND;

/// ERROR_SUCCESS when there is a folder of this name now, or what GetLastError() says;
/// `nothing_above` when the folder that it is to lie in is missing.
DWORD make_one_folder(const std::string& path) {
    if (CreateDirectoryW(to_utf16(path).c_str(), nullptr) != 0) return ERROR_SUCCESS;
    const DWORD code = GetLastError();
    return folder_exists(path) ? ERROR_SUCCESS : code;
}

std::string reason_of(DWORD code) {
    return reason_of_windows(code);
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

Renaming rename_for_good(const std::string& from, const std::string& to) {
    struct stat status {};
    // It would become a file: for the whole system, where /dev/null has the name.
    if (stat(to.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return {false, "what has the name is a device"};
    if (std::rename(from.c_str(), to.c_str()) != 0) return {false, reason_of_errno(errno)};
    const int code = sync_folder_of(to);
    return {true, code == 0 ? std::string() : reason_of_errno(code)};
}

constexpr int nothing_above = ENOENT;

int make_one_folder(const std::string& path) {
    if (mkdir(path.c_str(), 0777) == 0) return 0;
    const int code = errno;
    return folder_exists(path) ? 0 : code;
}

std::string reason_of(int code) {
    return reason_of_errno(code);
}

#endif

bool is_separator(char c) {
    return c == '/' || c == path_separator;
}

/// As make_one_folder(), with the folders above it.
auto make_with_those_above(const std::string& path) -> decltype(make_one_folder(path)) {
    const auto code = make_one_folder(path);
    if (code != nothing_above) return code;
    std::string above = path;
    while (!above.empty() && is_separator(above.back()))
        above.pop_back();
    above = folder_of(above);
    if (above.empty()) return code;
    DEFIANCE_ASSERT(above.size() < path.size());
    const auto code_above = make_with_those_above(above);
    return code_above == 0 ? make_one_folder(path) : code_above;
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
    const auto name = std::find_if(path.rbegin(), path.rend(), is_separator).base();
    return std::string(path.begin(), name);
}

std::string with_final_separator(std::string_view folder, char separator) {
    std::string path(folder);
    if (!path.empty() && !is_separator(path.back())) path += separator;
    return path;
}

std::string path_below(std::string_view folder, std::string_view name) {
    return with_final_separator(folder) + std::string(name);
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
    if (problem) return path;
    if (std::find(full.begin(), full.end(), "..") == full.end())
        return full.lexically_normal().string();
    // What is above a folder that is a link, the system alone knows. A link at the end keeps its
    // name.
    const std::filesystem::path name = full.filename();
    const bool is_folder = name.empty() || name == "." || name == "..";
    const std::filesystem::path known =
        std::filesystem::weakly_canonical(is_folder ? full : full.parent_path(), problem);
    if (problem) return full.lexically_normal().string();
    return (is_folder ? known : known / name).string();
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
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        return false;
    // Devices such as NUL and CON have attributes of a file.
    const HANDLE file = CreateFileW(to_utf16(path).c_str(), FILE_READ_ATTRIBUTES,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    const bool is_on_disk = GetFileType(file) == FILE_TYPE_DISK;
    CloseHandle(file);
    return is_on_disk;
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

std::optional<Error> create_folder(const std::string& path) {
    const auto code = make_with_those_above(path);
    if (code == 0) return std::nullopt;
    return Error{"the folder '" + shown(path, 200) + "' cannot be created: " + reason_of(code)};
}

Error file_error(const std::string& path, const std::string& problem) {
    DEFIANCE_ASSERT(!problem.empty());
    return Error{"the file '" + shown(path, 200) + "' " + problem};
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
    const OpenFile file = open_file(path, "rb");
    if (!file) return file_error(path, "cannot be opened: " + reason_of_errno(errno));
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
    const auto failure = [&](const std::string& reason) {
        return file_error(path, "cannot be written: " + reason);
    };
    std::string part;
    OpenFile file;
    const Creation creation = create_part(path, part, [&](const std::string& name) {
        file = create_file(name);
        if (file) return Creation::done;
        return errno == EEXIST ? Creation::name_is_taken : Creation::failed;
    });
    if (creation != Creation::done) return failure(reason_of_errno(errno));
    const int code = write_all(std::move(file), content);
    // Not before the disk has the content: after a power failure the name could lead to nothing.
    const std::string reason =
        code == 0 ? rename_for_good(part, path).problem : reason_of_errno(code);
    if (reason.empty()) return std::nullopt;
    remove_file(part);
    return failure(reason);
}

std::optional<Error> move_into_place(const std::string& from, const std::string& to) {
    const Renaming renaming = rename_for_good(from, to);
    if (renaming.problem.empty()) return std::nullopt;
    const std::string name = "the name '" + shown(to, 200) + "'";
    const std::string state = renaming.has_name ? "has " + name + ", but perhaps not on the disk: "
                                                : "cannot be given " + name + ": ";
    return file_error(from, state + renaming.problem);
}

void remove_file(const std::string& path) {
#ifdef _WIN32
    DeleteFileW(to_utf16(path).c_str());
#else
    std::remove(path.c_str());
#endif
}

}  // namespace defiance
