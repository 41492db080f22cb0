#include <tools/support/same_file.hpp>

#include <filesystem>
#include <system_error>

#include <defiance/base/file.hpp>

namespace defiance {
namespace {

/// A path in UTF-8, which a narrow text is not on Windows.
std::filesystem::path utf8_path(const std::string& text) {
    return std::u8string(text.begin(), text.end());
}

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
    if (is_same_name(full_path(a), full_path(b))) return true;
    std::error_code problem;  // one of them does not exist
    return std::filesystem::equivalent(utf8_path(a), utf8_path(b), problem) && !problem;
}

}  // namespace defiance
