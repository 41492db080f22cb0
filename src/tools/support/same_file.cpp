#include <tools/support/same_file.hpp>

#include <cstddef>
#include <filesystem>
#include <system_error>

#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// A path in UTF-8, which a narrow text is not on Windows.
std::filesystem::path utf8_path(const std::string& text) {
    return std::u8string(text.begin(), text.end());
}

bool are_same(const NamedFile& a, const NamedFile& b) {
    return !a.path.empty() && !b.path.empty() && is_same_file(a.path, b.path);
}

Error same_file_error(const NamedFile& first, const NamedFile& second) {
    const std::string name = '\'' + shown(first.path, 200) + '\'';
    if (first.option == second.option)
        return Error{first.option + " names the same file twice, " + name};
    return Error{first.option + " and " + second.option + " are the same file, " + name};
}

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
    if (is_same_name(full_path(a), full_path(b))) return true;
    std::error_code problem;  // one of them does not exist
    return std::filesystem::equivalent(utf8_path(a), utf8_path(b), problem) && !problem;
}

std::optional<Error> check_different(std::span<const NamedFile> files) {
    for (std::size_t i = 0; i < files.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (are_same(files[k], files[i])) return same_file_error(files[k], files[i]);
    return std::nullopt;
}

}  // namespace defiance
