#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// Whether a file that begins like this is text that can be read here: it has no zero bytes.
[[nodiscard]] bool is_text(std::string_view begin);

/// Error, naming the file, when its content is no text, with what to do about one in UTF-16, as
/// programs of Windows save them.
[[nodiscard]] std::optional<Error> find_no_text(const std::string& path, std::string_view content);

/// The file as read_file() reads it. Error: also when it is no text.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path);

}  // namespace defiance
