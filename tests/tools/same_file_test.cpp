#include <tools/support/same_file.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <defiance/base/file.hpp>

#include "../base/temporary.hpp"

namespace defiance {

TEST_CASE("a file is the same by whatever path it is named", "[tools]") {
    const TemporaryFolder folder;
    folder.write("a", "text");
    folder.write("b", "text");
    const std::string a = folder.path() + "/a";
    CHECK(is_same_file(a, a));
    CHECK(is_same_file(a, folder.path() + "/./a"));
    CHECK_FALSE(is_same_file(a, folder.path() + "/b"));
    CHECK_FALSE(is_same_file(a, folder.path() + "/absent"));
    CHECK(is_same_file(folder.path() + "/absent", folder.path() + "/./absent"));
    // As the system takes names: the test of is_same_name knows what that is.
    CHECK(is_same_file(folder.path() + "/absent", folder.path() + "/ABSENT") ==
          is_same_name("absent", "ABSENT"));
    std::error_code problem;  // not every system for files has links
    std::filesystem::create_hard_link(a, folder.path() + "/link", problem);
    if (!problem) CHECK(is_same_file(a, folder.path() + "/link"));
}

#ifndef _WIN32
TEST_CASE("above a folder that is a link is the folder of its target", "[base][tools]") {
    const TemporaryFolder folder;
    const std::filesystem::path root = std::filesystem::canonical(folder.path());
    std::filesystem::create_directories(root / "real" / "sub");
    std::filesystem::create_directory_symlink(root / "real" / "sub", root / "link");
    std::filesystem::create_symlink(root / "real", root / "real" / "sub" / "name");
    const std::string link = (root / "link").string();
    CHECK(full_path(link + "/../engine.so") == (root / "real" / "engine.so").string());
    CHECK(full_path(link + "/absent/../engine.so") ==
          (root / "real" / "sub" / "engine.so").string());
    CHECK(full_path(link + "/..") == (root / "real").string());
    CHECK(full_path(link + "/../sub/name") == (root / "real" / "sub" / "name").string());
    CHECK(full_path(link + "/./a") == link + "/a");
    CHECK_FALSE(is_same_file(link + "/../a.pdn", (root / "a.pdn").string()));
    CHECK(is_same_file(link + "/../a.pdn", (root / "real" / "a.pdn").string()));
}
#endif

TEST_CASE("files that options name are all different, or two are told", "[tools]") {
    const TemporaryFolder folder;
    folder.write("a", "text");
    const std::string a = folder.path() + "/a";
    const std::string also_a = folder.path() + "/./a";
    const std::string absent = folder.path() + "/absent";
    const auto problem = [](const std::vector<NamedFile>& files) {
        const auto error = check_different(files);
        return error ? error->text : std::string();
    };
    CHECK(problem({}).empty());
    CHECK(problem({{"--in", a}, {"--out", absent}, {"--log", absent + "2"}}).empty());
    CHECK(problem({{"--in", ""}, {"--out", ""}}).empty());
    CHECK(problem({{"--in", a}, {"--log", absent}, {"--out", also_a}}) ==
          "--in and --out are the same file, '" + a + "'");
    CHECK(problem({{"--out", absent}, {"--log", absent}}) ==
          "--out and --log are the same file, '" + absent + "'");
    CHECK(problem({{"--in", a}, {"--in", also_a}}) ==
          "--in names the same file twice, '" + a + "'");
}

}  // namespace defiance
