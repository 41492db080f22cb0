#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace {

std::string content_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The sources that a text of CMake names whole, without variables and wildcards.
std::vector<std::string> sources_named_in(const std::string& text) {
    static const std::regex source(R"(\bsrc/[A-Za-z0-9_/]+\.(cpp|hpp|htm)\b)");
    std::vector<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), source), end; it != end; ++it)
        found.push_back(it->str());
    return found;
}

}  // namespace

// CMake sets properties of a file that is not there without a word, and the flags meant for it are
// lost.
TEST_CASE("every source that the build names is there", "[build]") {
    const std::filesystem::path root = DEFIANCE_SOURCE_DIR;
    std::vector<std::filesystem::path> files = {root / "CMakeLists.txt",
                                                root / "tests" / "CMakeLists.txt"};
    for (const auto& entry : std::filesystem::directory_iterator(root / "cmake"))
        if (entry.path().extension() == ".cmake") files.push_back(entry.path());
    std::size_t named = 0;
    for (const std::filesystem::path& file : files)
        for (const std::string& source : sources_named_in(content_of(file))) {
            INFO(file.filename().string() << " names " << source);
            CHECK(std::filesystem::exists(root / source));
            ++named;
        }
    CHECK(named > 40);
    CHECK(sources_named_in("a(${X}/src/base/no_such.cpp src/base/*.cpp src/${y}.cpp)") ==
          std::vector<std::string>{"src/base/no_such.cpp"});
}
