#include <defiance/base/file.hpp>

#include <array>
#include <cstdio>
#include <memory>

#include <defiance/base/text.hpp>

namespace defiance {
namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, Closer>;

OpenFile open_for_reading(const std::string& path) {
    std::FILE* file = nullptr;
#ifdef _MSC_VER
    if (fopen_s(&file, path.c_str(), "rb") != 0) file = nullptr;
#else
    file = std::fopen(path.c_str(), "rb");
#endif
    return OpenFile(file);
}

}  // namespace

Error file_error(const std::string& path, const std::string& problem) {
    return Error{"the file '" + shown(path, 200) + "' " + problem};
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
    const OpenFile file = open_for_reading(path);
    if (!file) return file_error(path, "cannot be opened");
    std::string content;
    std::array<char, 65536> block;
    while (const std::size_t length = std::fread(block.data(), 1, block.size(), file.get())) {
        if (length > limit - content.size())
            return file_error(path, "is larger than " + std::to_string(limit) + " bytes");
        content.append(block.data(), length);
    }
    if (std::ferror(file.get()) != 0) return file_error(path, "cannot be read");
    return content;
}

}  // namespace defiance
