#include "endgame_settings.hpp"

#include <cstdint>
#include <string>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>

namespace defiance {
namespace {

/// The full path of a folder option, with a final separator; empty for an empty text.
std::string folder_meant(const std::string& text) {
    if (text.empty()) return {};
    const std::string path = is_absolute(text) ? text : folder_of(program_path()) + text;
    return with_final_separator(path);
}

}  // namespace

EndgameSettings settings_for(const EndgameOptions& options) {
    EndgameSettings settings;
    settings.folder = folder_meant(options.folder);
    // The folder of our own larger databases, and the one of the databases that come with
    // CheckerBoard.
    settings.default_folders = {folder_of(module_path()) + "defiance" + path_separator,
                                folder_of(program_path()) + "db" + path_separator};
    // Never a data folder, because a driver is code that runs inside the host program.
    settings.driver_folders = {folder_of(program_path()), folder_of(module_path())};
    if (options.use_distances) settings.distance_folder = folder_meant(options.distance_folder);
    settings.max_pieces = options.max_pieces;
    settings.foreign_bytes = std::uint64_t{options.mebibytes} << 20;
    return settings;
}

}  // namespace defiance
