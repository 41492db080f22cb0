#include <defiance/base/file.hpp>

#include "part_file.hpp"
#include "system_reason.hpp"

#ifdef _WIN32
#include <windows.h>
// After windows.h, which it needs.
#include <sddl.h>

#include <array>

#include "windows_text.hpp"
#else
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "posix_sync.hpp"
#endif

namespace defiance {
namespace {

#ifdef _WIN32

/// The number that Windows knows the user by, as text; empty when it does not tell.
std::wstring number_of_user() {
    HANDLE token = nullptr;
    if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) == 0) return {};
    alignas(TOKEN_USER) std::array<char, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
    DWORD size = 0;
    const bool is_known = GetTokenInformation(token, TokenUser, user.data(),
                                              static_cast<DWORD>(user.size()), &size) != 0;
    CloseHandle(token);
    wchar_t* text = nullptr;
    if (!is_known || ConvertSidToStringSidW(
                         reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid, &text) == 0)
        return {};
    const std::wstring number = text;
    LocalFree(text);
    return number;
}

/// The rights to a file for the user, its owner and Windows, and for nobody else, whatever its
/// folder gives. The user is named, because the owner of what an administrator makes is a group;
/// the owner is, because on another machine the user may have an account of another number.
class PrivateRights {
public:
    PrivateRights() {
        const std::wstring user = number_of_user();
        if (user.empty()) return;
        const std::wstring rights = L"D:P(A;;FA;;;" + user + L")(A;;FA;;;OW)(A;;FA;;;SY)";
        ConvertStringSecurityDescriptorToSecurityDescriptorW(rights.c_str(), SDDL_REVISION_1,
                                                             &descriptor_, nullptr);
        attributes_.lpSecurityDescriptor = descriptor_;
    }
    ~PrivateRights() { LocalFree(descriptor_); }
    PrivateRights(const PrivateRights&) = delete;
    PrivateRights& operator=(const PrivateRights&) = delete;

    [[nodiscard]] explicit operator bool() const { return descriptor_ != nullptr; }
    [[nodiscard]] SECURITY_ATTRIBUTES* get() { return &attributes_; }

private:
    PSECURITY_DESCRIPTOR descriptor_ = nullptr;
    SECURITY_ATTRIBUTES attributes_ = {sizeof(SECURITY_ATTRIBUTES), nullptr, FALSE};
};

/// Creates a file beside `path` with all of the content, on the disk, and tells its name in `part`.
/// Empty, or why there is none.
std::string write_private_part(const std::string& path, std::string_view content,
                               std::string& part) {
    PrivateRights rights;
    if (!rights) return reason_of_last_call();
    HANDLE file = INVALID_HANDLE_VALUE;
    const Creation creation = create_part(path, part, [&](const std::string& name) {
        file = CreateFileW(to_utf16(name).c_str(), GENERIC_WRITE, 0, rights.get(), CREATE_NEW,
                           FILE_ATTRIBUTE_NORMAL, nullptr);
        if (file != INVALID_HANDLE_VALUE) return Creation::done;
        return GetLastError() == ERROR_FILE_EXISTS ? Creation::name_is_taken : Creation::failed;
    });
    if (creation != Creation::done) return reason_of_last_call();
    DWORD written = 0;
    const bool is_written = WriteFile(file, content.data(), static_cast<DWORD>(content.size()),
                                      &written, nullptr) != 0 &&
                            FlushFileBuffers(file) != 0;
    const std::string reason = is_written ? std::string() : reason_of_last_call();
    CloseHandle(file);
    if (is_written && written == content.size()) return {};
    remove_file(part);
    return reason.empty() ? "the disk is full" : reason;
}

/// Gives a part its name unless another file has it. Empty, or why it has not got it.
std::string place_part(const std::string& part, const std::string& path) {
    const DWORD code = move_patiently(part, path, 0);
    return code == ERROR_SUCCESS ? std::string() : reason_of_windows(code);
}

#else

/// Writes all and waits for the disk. 0, or what errno says.
int write_and_sync(int file, std::string_view content) {
    while (!content.empty()) {
        const ssize_t count = ::write(file, content.data(), content.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : EIO;
        content.remove_prefix(static_cast<std::size_t>(count));
    }
    return sync_descriptor(file);
}

std::string write_private_part(const std::string& path, std::string_view content,
                               std::string& part) {
    int file = -1;
    const Creation creation = create_part(path, part, [&](const std::string& name) {
        file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0) return Creation::done;
        return errno == EEXIST ? Creation::name_is_taken : Creation::failed;
    });
    if (creation != Creation::done) return reason_of_errno(errno);
    int code = write_and_sync(file, content);
    if (::close(file) != 0 && code == 0) code = errno;
    if (code == 0) return {};
    remove_file(part);
    return reason_of_errno(code);
}

std::string place_part(const std::string& part, const std::string& path) {
    int code = 0;
    if (::link(part.c_str(), path.c_str()) == 0) {
        remove_file(part);
    } else {
        code = errno;
        // Where a file cannot have two names, as on memory sticks, the second of two programs that
        // come here at the same time puts its file in the place of the first one's.
        const bool has_no_links = code == EPERM || code == ENOTSUP || code == ENOSYS;
        if (has_no_links && !file_exists(path))
            code = std::rename(part.c_str(), path.c_str()) == 0 ? 0 : errno;
    }
    if (code == 0) code = sync_folder_of(path);
    return code == 0 ? std::string() : reason_of_errno(code);
}

#endif

}  // namespace

std::optional<Error> write_private_file(const std::string& path, std::string_view content) {
    std::string part;
    std::string reason = write_private_part(path, content, part);
    if (reason.empty()) {
        reason = place_part(part, path);
        if (reason.empty()) return std::nullopt;
        remove_file(part);
    }
    return file_error(path, "cannot be written: " + reason);
}

}  // namespace defiance
