#include <defiance/cb/help.hpp>

#include <defiance/base/system.hpp>

namespace defiance {
namespace {

/// Some hosts take the reply into a buffer of 256 bytes.
constexpr std::size_t longest_path = 249;

bool fits(const std::string& path) {
    return path.size() <= longest_path;
}

}  // namespace

std::string help_file(const std::string& module_path, const std::string& own_name,
                      std::string_view page) {
    const std::string beside = folder_of(module_path) + "defiance.htm";
    if (fits(beside) && file_exists(beside)) return beside;
    const std::string folder = temporary_folder();
    if (folder.empty()) return {};
    const std::string written = folder + own_name;
    if (!fits(written) || !write_file(written, page)) return {};
    return written;
}

}  // namespace defiance
