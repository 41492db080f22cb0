#pragma once

// Waiting for the disk where the system has fsync(). Only for sources of files.

#ifndef _WIN32

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <defiance/base/file.hpp>

namespace defiance {

/// What a call that waits for the disk has done: 0, or what errno says. Where there is nothing to
/// wait for, such as at a device or on some file systems, that is done at once.
inline int outcome_of_sync(int status) {
    const int code = status == 0 ? 0 : errno;
    return code == EINVAL || code == ENOTSUP ? 0 : code;
}

/// Waits until the disk has the content of the file. 0, or what errno says.
inline int sync_descriptor(int file) {
#ifdef __linux__
    return outcome_of_sync(::fdatasync(file));
#else
    return outcome_of_sync(::fsync(file));
#endif
}

/// Waits until the disk has the name of the file, which is a part of its folder. 0, or what errno
/// says. A folder that may be written but not read cannot be waited for, which counts as done.
inline int sync_folder_of(const std::string& path) {
    const std::string folder = folder_of(path);
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return errno == EACCES ? 0 : errno;
    // A new name need not change the size of the folder, and fdatasync() waits for nothing else.
    const int code = outcome_of_sync(::fsync(handle));
    ::close(handle);
    return code;
}

}  // namespace defiance

#endif
