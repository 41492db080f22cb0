#include <defiance/base/file.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "temporary.hpp"

using namespace defiance;

TEST_CASE("a file is read byte for byte", "[base]") {
    std::string content = "line\r\nline\n\x1A";
    content += '\0';
    content += std::string(200000, 'x');
    const TemporaryFile file(content);
    const Result<std::string> read = read_file(file.path());
    REQUIRE(read);
    CHECK(*read == content);
}

TEST_CASE("an empty file is read as an empty text", "[base]") {
    const TemporaryFile file("");
    const Result<std::string> read = read_file(file.path(), 0);
    REQUIRE(read);
    CHECK(read->empty());
}

TEST_CASE("a file beyond the limit is refused", "[base]") {
    const TemporaryFile file(std::string(100, 'x'));
    CHECK(read_file(file.path(), 100));
    const Result<std::string> refused = read_file(file.path(), 99);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("is larger than 99 bytes") != std::string::npos);
}

TEST_CASE("what is no readable file is an error", "[base]") {
    const std::string folder = std::filesystem::temp_directory_path().string();
    for (const std::string& path : {std::string(), folder, folder + "/no/such/file"}) {
        const Result<std::string> read = read_file(path);
        REQUIRE_FALSE(read);
        CHECK(read.error().find("cannot be") != std::string::npos);
    }
}

TEST_CASE("a file that is appended to can be read at any place", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/log";
    Result<AppendFile> opened = AppendFile::open(path);
    REQUIRE(opened);
    AppendFile file = *std::move(opened);
    std::array<std::uint8_t, 3> bytes{};
    CHECK_FALSE(file.read_at(0, bytes));
    REQUIRE(file.append("12345"));
    REQUIRE(file.read_at(2, bytes));
    CHECK(bytes == std::array<std::uint8_t, 3>{'3', '4', '5'});
    CHECK_FALSE(file.read_at(3, bytes));
    CHECK(file.read_at(5, {}));
    // What is appended after a read goes to the end.
    REQUIRE(file.read_at(0, bytes));
    REQUIRE(file.append("6"));
    CHECK(file.sync());
    CHECK(file.size() == 6);
    CHECK(*read_file(path) == "123456");
    REQUIRE(file.cut(2));
    REQUIRE(file.append("x"));
    CHECK(*read_file(path) == "12x");
}

TEST_CASE("a file takes the place and the name of another one", "[base]") {
    const TemporaryFolder folder;
    const std::string from = folder.path() + "/from";
    const std::string to = folder.path() + "/to";
    folder.write("from", "new");
    REQUIRE(rename_file(from, to));
    CHECK_FALSE(file_exists(from));
    folder.write("from", "newer");
    REQUIRE(rename_file(from, to));
    CHECK(*read_file(to) == "newer");
    CHECK_FALSE(rename_file(from, to));
    CHECK(*read_file(to) == "newer");
}

TEST_CASE("a lock file is held once", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/lock";
    std::optional<Result<LockFile>> first = LockFile::hold(path);
    REQUIRE(*first);
    const Result<LockFile> second = LockFile::hold(path);
    REQUIRE_FALSE(second);
    CHECK(second.error() == "the file '" + path + "' is in use by another program");
    first.reset();
    CHECK(LockFile::hold(path));
    CHECK(LockFile::hold(folder.path() + "/no/lock").error() ==
          "the file '" + folder.path() + "/no/lock' cannot be created");
}
