#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

// Paths are UTF-8 on every system; on Windows both / and \ separate folders.

/// The folder part of a path, with its final separator; empty when there is none.
[[nodiscard]] std::string folder_of(std::string_view path);

/// The separator between the folders of a path on this system.
#ifdef _WIN32
inline constexpr char path_separator = '\\';
#else
inline constexpr char path_separator = '/';
#endif

/// The folder with a separator at its end, this one if it has none; an empty one stays empty.
[[nodiscard]] std::string with_final_separator(std::string_view folder,
                                               char separator = path_separator);

/// The path of what has this name in the folder; the name alone when the folder is empty.
[[nodiscard]] std::string path_below(std::string_view folder, std::string_view name);

/// True when the path begins at a root; on Windows also with a drive, as in `C:db`. Such a path is
/// taken as it is, a relative one begins at a folder that the caller knows.
[[nodiscard]] bool is_absolute(std::string_view path);

/// The path from the root, without "." and ".." in it; the path itself when the system does not
/// tell. The file need not exist.
[[nodiscard]] std::string full_path(const std::string& path);

/// Whether two full paths are the same name to this system, also of a file that does not exist:
/// Windows takes capital letters for small ones. Others than those of ASCII are not looked at.
[[nodiscard]] bool is_same_name(std::string_view a, std::string_view b);

/// The last part of a path without folder and extension.
[[nodiscard]] std::string base_name_of(std::string_view path);

/// True when the file exists; folders and devices are no files.
[[nodiscard]] bool file_exists(const std::string& path);

/// The same for a folder.
[[nodiscard]] bool folder_exists(const std::string& path);

/// Creates the folder, and those that it is to lie in, unless they exist. Error, with its name and
/// what the system says, when that fails.
[[nodiscard]] std::optional<Error> create_folder(const std::string& path);

/// The message for a problem with a file, such as "cannot be opened"; it names the file.
[[nodiscard]] Error file_error(const std::string& path, const std::string& problem);

/// Files larger than this are not read: one GiB.
inline constexpr std::size_t default_file_limit = std::size_t{1} << 30;

/// The whole file, byte for byte. Error when it cannot be opened or read to its end, or has more
/// than `limit` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path,
                                            std::size_t limit = default_file_limit);

/// Writes a file atomically: it has the old content or all of the new, also after a power failure.
/// The new one is on the disk when this returns. Error, with the name of the file and what the
/// system says, when that fails. Where a device has the name, as /dev/null, it stays.
[[nodiscard]] std::optional<Error> write_file(const std::string& path, std::string_view content);

/// Writes a new file that only the user can read, for secrets: all of it or none, also after a
/// power failure. On Windows the system itself can read it, too, and the owner of the file, who may
/// be all administrators. Error, with the name of the file and what the system says, when that
/// fails; also when the file exists, which stays as it is.
[[nodiscard]] std::optional<Error> write_private_file(const std::string& path,
                                                      std::string_view content);

/// Gives the file `from` the name `to`, in the place of a file, but not of a device, that may have
/// it, and waits until the disk has this. Neither may be open; one that a virus scanner of Windows
/// holds is waited for, up to half a second. Error, with both names and what the system says, when
/// that fails: `from` is gone if only the wait for the disk has failed. A folder that cannot be
/// waited for, as on some file systems, is no failure.
[[nodiscard]] std::optional<Error> move_into_place(const std::string& from, const std::string& to);

/// Deletes a file. Nothing happens when there is none or it cannot be deleted.
void remove_file(const std::string& path);

/// A file that is only appended to. What append() has accepted survives the end of this program by
/// any cause, and what sync() has confirmed also a power failure. For one thread at a time, except
/// that any threads may call sync() and read_at() meanwhile.
class AppendFile {
public:
    /// Opens the file, or creates it.
    static Result<AppendFile> open(const std::string& path);

    /// Creates a file beside `path` that is to take its place and that no other thread or program
    /// writes, and tells its name in `part`. Error, naming `path`.
    static Result<AppendFile> create_part(const std::string& path, std::string& part);

    AppendFile(AppendFile&&) noexcept;
    AppendFile& operator=(AppendFile&&) noexcept;
    ~AppendFile();

    /// False when not all of the text could be written; a part of it may then be in the file.
    [[nodiscard]] bool append(std::string_view text);
    /// What the system has said when append() has failed last.
    [[nodiscard]] const std::string& problem() const { return problem_; }

    /// Waits until the disk has all that was appended. False on failure. A device that has nothing
    /// to wait for is no failure.
    [[nodiscard]] bool sync();

    /// Fills `into` with the bytes from `offset` on. False when the file is too short or cannot be
    /// read; part of `into` may then be written.
    [[nodiscard]] bool read_at(std::uint64_t offset, std::span<std::uint8_t> into) const;

    /// Bytes in the file; nothing when the system does not tell.
    [[nodiscard]] std::optional<std::uint64_t> size() const;

    /// Truncates the file to its first `size` bytes. False on failure.
    [[nodiscard]] bool cut(std::uint64_t size);

private:
    struct Handle;
    explicit AppendFile(std::unique_ptr<Handle> handle);

    std::unique_ptr<Handle> handle_;
    std::string problem_;
};

/// A file that only one program at a time can hold, so that others stay away from what it stands
/// for. It is free again when the program ends by any cause. Movable.
class LockFile {
public:
    /// Creates the file where there is none. Error, naming the file: another object holds it, in
    /// this program or another one, or it cannot be created.
    static Result<LockFile> hold(const std::string& path);

    LockFile(LockFile&&) noexcept;
    LockFile& operator=(LockFile&&) noexcept;
    ~LockFile();

private:
    struct Handle;
    explicit LockFile(std::unique_ptr<Handle> handle);

    std::unique_ptr<Handle> handle_;
};

}  // namespace defiance
