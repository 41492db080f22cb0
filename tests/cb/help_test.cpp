#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, std::string_view content) {
    std::ofstream(path, std::ios::binary) << content;
}

}  // namespace

TEST_CASE("help answers a file with the page, or the file beside the engine", "[cb]") {
    const std::string beside = copies_folder() + "defiance.htm";
    std::filesystem::create_directories(copies_folder());
    std::filesystem::remove(beside);

    const std::string built_in = accepted(engine(), "help");
    INFO(built_in);
    CHECK(built_in.size() < 250);
    CHECK(std::filesystem::path(built_in).is_absolute());
    CHECK_FALSE(std::filesystem::equivalent(std::filesystem::path(built_in).parent_path(),
                                            copies_folder()));
    const std::string page = content_of(built_in);
    CHECK(contains(page, "<html"));
    CHECK(contains(page, "</html>"));

    write(beside, "<html>another page</html>");
    const std::string found = accepted(engine(), "help");
    CHECK(std::filesystem::equivalent(found, beside));
    CHECK(content_of(found) == "<html>another page</html>");
    std::filesystem::remove(beside);
    CHECK(accepted(engine(), "help") == built_in);
}

TEST_CASE("help makes a page that was damaged whole again", "[cb]") {
    const std::string path = accepted(engine(), "help");
    const std::string page = content_of(path);
    write(path, "damaged");
    CHECK(accepted(engine(), "help") == path);
    CHECK(content_of(path) == page);
}
