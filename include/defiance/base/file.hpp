#pragma once

#include <cstddef>
#include <string>

#include <defiance/base/result.hpp>

namespace defiance {

/// Files larger than this are not read: one GiB.
inline constexpr std::size_t default_file_limit = std::size_t{1} << 30;

/// The whole file, byte for byte. Error when it cannot be opened or read to its end, or has more
/// than `limit` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path,
                                            std::size_t limit = default_file_limit);

/// What all messages about a file look like: it is named, then the problem, such as "cannot be
/// opened".
[[nodiscard]] Error file_error(const std::string& path, const std::string& problem);

}  // namespace defiance
