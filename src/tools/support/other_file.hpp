#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// What would be done to a file.
enum class Writing { over, behind };

/// The error that a file of another kind has the name of one that is to be written.
[[nodiscard]] Error other_file_error(const std::string& path, Writing writing = Writing::over);

/// other_file_error() when there is a file that is not empty and does not begin as one of ours
/// does, or cannot be read. `is_ours` is asked about its first bytes, 4096 at most. Devices are no
/// files.
[[nodiscard]] std::optional<Error> find_other_file(
    const std::string& path, const std::function<bool(std::string_view)>& is_ours,
    Writing writing = Writing::over);

/// The first line of a text, without its end.
[[nodiscard]] std::string_view first_line_of(std::string_view text);

}  // namespace defiance
