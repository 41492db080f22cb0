#pragma once

#include <optional>
#include <span>
#include <string>

#include <defiance/base/result.hpp>

namespace defiance {

/// True when both paths lead to one file, also by way of links. A file that does not exist yet is
/// known by its path only.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// A file, and the option that the user has named it by.
struct NamedFile {
    std::string option;
    std::string path;  ///< empty: there is no such file
};

/// Error, with the two options, when two of the files are the same one.
[[nodiscard]] std::optional<Error> check_different(std::span<const NamedFile> files);

}  // namespace defiance
