#pragma once

// Waiting for the disk where the system has fsync(). Only for sources of files.

#ifndef _WIN32

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <defiance/base/file.hpp>

namespace defiance {

/// Waits until the disk has the file. 0, or what errno says. Where there is nothing to wait for,
/// such as at a device or on some file systems, that is done at once.
inline int sync_descriptor(int file) {
#ifdef __linux__
    const int status = ::fdatasync(file);
#else
    const int status = ::fsync(file);
#endif
    const int code = status == 0 ? 0 : errno;
    return code == EINVAL || code == ENOTSUP ? 0 : code;
}

/// Waits until the disk has the name of the file, which is a part of its folder. 0, or what errno
/// says. A folder that may be written but not read cannot be waited for, which counts as done.
inline int sync_folder_of(const std::string& path) {
    const std::string folder = folder_of(path);
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return 0;
    const int code = sync_descriptor(handle);
    ::close(handle);
    return code;
}

}  // namespace defiance

#endif
