#include <tools/support/text_file.hpp>

#include <cstddef>

#include <defiance/base/file.hpp>

namespace defiance {

bool is_text(std::string_view begin) {
    // Zeros far behind are what a power failure may leave at the end of a text.
    constexpr std::size_t looked_at = 1024;
    return begin.substr(0, looked_at).find('\0') == std::string_view::npos;
}

std::optional<Error> find_no_text(const std::string& path, std::string_view content) {
    if (is_text(content)) return std::nullopt;
    const bool is_utf16 = content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF");
    return file_error(path, is_utf16 ? "is not text; save it as UTF-8" : "is not text");
}

Result<std::string> read_text_file(const std::string& path) {
    Result<std::string> content = read_file(path);
    if (!content) return content;
    if (auto error = find_no_text(path, *content)) return *std::move(error);
    return content;
}

}  // namespace defiance
