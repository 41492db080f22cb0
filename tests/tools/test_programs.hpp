#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <tools/match/loader_programs.hpp>

namespace defiance {

/// No time that an engine or a program needs to answer on a slow machine.
inline constexpr double patience = 60;

/// A program of this build, which lies beside the tests.
inline std::string program_of_build(const std::string& name) {
    const std::filesystem::path own = module_path();
    return (own.parent_path() / (name + own.extension().string())).string();
}

/// The console tool of this build for every kind of engine that it can load.
inline LoaderPrograms loaders_of_build() {
    const std::string tool = program_of_build("defiance");
    LoaderPrograms programs;
    programs.own = {tool};
    if (kind_of_engine_file(tool) == EngineFile::win32) programs.win32 = {tool};
    if (kind_of_engine_file(tool) == EngineFile::win64) programs.win64 = {tool};
    return programs;
}

/// A file name of its own in the folder for temporary files; the file is gone with the object.
class ScratchPath {
public:
    explicit ScratchPath(const std::string& extension)
        // Tests of several builds may run at the same time.
        : path_(std::filesystem::temp_directory_path() /
                ("defiance_match_" +
                 std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) +
                 extension)) {}
    ~ScratchPath() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    ScratchPath(const ScratchPath&) = delete;
    ScratchPath& operator=(const ScratchPath&) = delete;

    [[nodiscard]] std::string text() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

}  // namespace defiance
