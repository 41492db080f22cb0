#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>

namespace defiance::fuzz {

/// A copy of the engine file beside this program, so that the file's own stored options stay as
/// they are. Its name begins with the prefix: programs that run at the same time use different
/// ones.
[[nodiscard]] inline std::string make_copy(const std::filesystem::path& engine,
                                           std::string_view prefix) {
    const std::filesystem::path folder = folder_of(module_path()) + "engine_copies";
    std::filesystem::create_directories(folder);
    const std::filesystem::path copy = folder / (std::string(prefix) + engine.filename().string());
    std::filesystem::remove(copy);  // mingw's copy_file cannot overwrite
    std::filesystem::copy_file(engine, copy);
    return copy.string();
}

}  // namespace defiance::fuzz
