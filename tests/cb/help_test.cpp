#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <defiance/base/encoding.hpp>
#include <defiance/base/file.hpp>

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
    for (const char* label : {"Engine, Options", "Engine, Command", "More Options, Search threads",
                              "WLD Database, Limit max pieces", "Endgame DB", "Solve Mode"}) {
        INFO(label);  // as CheckerBoard names it
        CHECK(contains(page, label));
    }

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

TEST_CASE("an engine works in a folder that no code page can name", "[cb]") {
    const std::string name = "d\u00E1m\u03B1\u6F22\u5B57";
    const std::string folder = copies_folder() + name + path_separator;
    const std::string original = engine_copy("any_folder");
    const std::string path = folder + original.substr(folder_of(original).size());
    const auto bytes = read_file(original);
    REQUIRE(bytes);
    REQUIRE_FALSE(create_folder(folder));
    REQUIRE_FALSE(create_folder(folder + "defiance"));
    REQUIRE_FALSE(write_file(path, *bytes));
    REQUIRE_FALSE(write_file(folder + "defiance.htm", "<html>beside</html>"));
    const std::string database = folder + "defiance" + path_separator + "english6.dfe";
    REQUIRE_FALSE(write_file(database, "no database at all"));

    std::string problem;
    const EngineDll dll(path, problem);
    INFO(problem);
    REQUIRE(dll);
    const auto page = read_file(utf8_from_ansi(accepted(dll, "help")));
    REQUIRE(page);
    CHECK(*page == "<html>beside</html>");
    // What lies beside the engine is found and named, with '?' for what ANSI lacks.
    CHECK(contains(accepted_in_time(dll, "about"), ansi_from_utf8(name)));

    // CheckerBoard gives a folder in ANSI and gets it back so.
    const auto given = path_for_ansi(folder);
    REQUIRE(given);
    const std::string ansi = ansi_from_utf8(*given);
    const Restored restored(dll, "dbpath");
    CHECK(accepted(dll, "set dbpath " + ansi) == "dbpath " + ansi);
    CHECK(accepted(dll, "get dbpath") == ansi);
    CHECK(accepted(dll, "set dbpath " + ansi) == "dbpath " + ansi);
    CHECK(
        contains(accepted_in_time(dll, "set check_wld_dir " + ansi + "defiance"), "english6.dfe"));
    static_cast<void>(accepted_in_time(dll, "set check_mtc_dir " + ansi));
}
