#include <defiance/cb/help.hpp>

#include <optional>
#include <utility>

#include <defiance/base/encoding.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>

namespace defiance {
namespace {

/// Some hosts take the reply into a buffer of 256 bytes.
constexpr std::size_t longest_path = 249;

/// The path of this file as hosts can take it, in ANSI and short; nothing when it has no such form.
std::optional<std::string> path_for_host(const std::string& file) {
    std::optional<std::string> path = path_for_ansi(file);
    if (path && ansi_from_utf8(*path).size() > longest_path) path.reset();
    return path;
}

}  // namespace

std::string help_file(const std::string& module_path, const std::string& own_name,
                      std::string_view page) {
    const std::string beside = folder_of(module_path) + "defiance.htm";
    if (file_exists(beside))
        if (auto path = path_for_host(beside)) return *std::move(path);
    const std::string folder = temporary_folder();
    if (folder.empty()) return {};
    const std::string written = folder + own_name;
    if (!write_file(written, page)) return {};
    return path_for_host(written).value_or(std::string());
}

}  // namespace defiance
