#include <defiance/base/file.hpp>

#include <catch2/catch.hpp>

#include <filesystem>

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
