#include <defiance/cb/help.hpp>

#include <iterator>

#include <defiance/base/resource.hpp>
#include <defiance/base/system.hpp>

namespace defiance {
namespace {

/// Some hosts take the reply into a buffer of 256 bytes.
constexpr std::size_t longest_path = 249;

// On Windows the page is a resource of the DLL and this array holds nothing.
constexpr unsigned char embedded_page[] = {
#if __has_include("help_page.inc")
#include "help_page.inc"
#endif
    0};

bool fits(const std::string& path) {
    return path.size() <= longest_path;
}

}  // namespace

std::string_view help_page() {
    const std::string_view resource = find_resource("HELP_PAGE");
    if (!resource.empty()) return resource;
    return {reinterpret_cast<const char*>(embedded_page), std::size(embedded_page) - 1};
}

std::string help_file(const std::string& module_path, const std::string& own_name) {
    const std::string beside = folder_of(module_path) + "defiance.htm";
    if (fits(beside) && file_exists(beside)) return beside;
    const std::string folder = temporary_folder();
    if (folder.empty()) return {};
    const std::string written = folder + own_name;
    if (!fits(written) || !write_file(written, help_page())) return {};
    return written;
}

}  // namespace defiance
