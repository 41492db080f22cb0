#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace defiance {

/// The path in UTF-8.
inline std::string text_of(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

/// A path that nothing else uses, in the folder for temporary files. Tests of several builds may
/// run at the same time.
inline std::filesystem::path unused_path() {
    static std::atomic<int> number = 0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return std::filesystem::temp_directory_path() /
           ("defiance_test_" + std::to_string(now) + "_" + std::to_string(number++));
}

/// A file of its own, gone when the test is over.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& content) {
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] std::string path() const { return text_of(path_); }

private:
    std::filesystem::path path_ = unused_path();
};

/// A folder of its own, gone with all it holds when the test is over.
class TemporaryFolder {
public:
    TemporaryFolder() { std::filesystem::create_directory(path_); }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string path() const { return text_of(path_); }

    /// Writes a file into the folder, over one of the same name.
    void write(const std::string& name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
    }
    /// Copies the files of the folder into this one.
    void copy_from(const std::filesystem::path& folder) const {
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            std::filesystem::copy_file(entry.path(), path_ / entry.path().filename());
    }

private:
    std::filesystem::path path_ = unused_path();
};

/// A path that a test fills where the program looks, gone with all it holds when the test is over.
/// It is removed first, too: a test that was killed may have left it behind.
class TemporaryPath {
public:
    explicit TemporaryPath(std::filesystem::path path) : path_(std::move(path)) { remove(); }
    ~TemporaryPath() { remove(); }
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;

    [[nodiscard]] std::string path() const { return text_of(path_); }

    void remove() const {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

private:
    std::filesystem::path path_;
};

}  // namespace defiance
