#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

#include <defiance/base/encoding.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/library.hpp>
#include <defiance/base/mapped_file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/settings.hpp>
#include <defiance/base/system.hpp>

#include "temporary.hpp"

using namespace defiance;

namespace {

/// Letters of which no code page has all.
const std::string odd_name = "d\u00E1m\u03B1\u6F22\u5B57";

std::string odd_folder_in(const TemporaryFolder& folder) {
    std::string path = folder.path() + path_separator + odd_name;
    REQUIRE_FALSE(create_folder(path));
    return path + path_separator;
}

}  // namespace

TEST_CASE("files are found in folders that no code page can name", "[base][encoding]") {
    const TemporaryFolder folder;
    const std::string path = odd_folder_in(folder) + odd_name;
    CHECK_FALSE(file_exists(path));
    CHECK_FALSE(write_file(path, "content"));
    CHECK(file_exists(path));
    const auto content = read_file(path);
    REQUIRE(content);
    CHECK(*content == "content");
    const auto mapped = MappedFile::open(path);
    REQUIRE(mapped);
    CHECK(mapped->bytes().size() == 7);
    const auto opened = RandomAccessFile::open(path);
    REQUIRE(opened);
    CHECK(opened->size() == 7);
    CHECK(full_path(path) == path);
    CHECK(folder_of(path) == folder_of(path + ".txt"));
    CHECK(base_name_of(path + ".txt") == odd_name);
    // The name is that, and not one that another program would read otherwise.
    const std::filesystem::path name = std::u8string(odd_name.begin(), odd_name.end());
    CHECK(std::filesystem::exists(std::filesystem::path(folder.path()) / name / name));
    const auto absent = read_file(path + "2");
    REQUIRE_FALSE(absent);
    CHECK(absent.error().find(odd_name) != std::string::npos);
}

TEST_CASE("a file with any name grows", "[base][encoding]") {
    const TemporaryFolder folder;
    const std::string path = odd_folder_in(folder) + "journal";
    Result<AppendFile> opened = AppendFile::open(path);
    REQUIRE(opened);
    AppendFile file = *std::move(opened);
    CHECK(file.append("a\n"));
    CHECK(file.append("b\n"));
    CHECK(file.size() == 4);
    CHECK(file.cut(2));
    CHECK(*read_file(path) == "a\n");
}

TEST_CASE("a library is loaded from any folder", "[base][encoding]") {
    const TemporaryFolder folder;
    const std::string path = odd_folder_in(folder) + DEFIANCE_FAKE_DRIVER;
    const auto bytes = read_file(folder_of(module_path()) + DEFIANCE_FAKE_DRIVER);
    REQUIRE(bytes);
    REQUIRE_FALSE(write_file(path, *bytes));
    {
        const Result<Library> library = Library::load(path);
        INFO((library ? "" : library.error()));
        REQUIRE(library);
        CHECK(library->find<void (*)()>("egdb_identify") != nullptr);
        CHECK(is_loaded(path));
    }
    CHECK_FALSE(is_loaded(path));
}

TEST_CASE("a program gets any text as argument and any folder to run in", "[base][encoding]") {
    const TemporaryFolder folder;
    const std::string place = odd_folder_in(folder);
    const std::filesystem::path own = module_path();
    const std::string child = folder_of(module_path()) + "test_child" + own.extension().string();
    Result<Process> started = Process::start({child, "arguments", odd_name, "--here"}, place);
    REQUIRE(started);
    Process process = *std::move(started);
    std::string text;
    while (process.read(text, 20) == Process::Read::data) {
    }
    CHECK(process.wait(20) == 0);
    CHECK(text == odd_name + "\n" + full_path(place) + "\n");
}

TEST_CASE("options keep any text", "[base][encoding]") {
    SettingsStore store("test of the encoding");
    store.save("folder", odd_name);
    CHECK(store.load("folder") == odd_name);
    store.save("folder", "");
    CHECK(store.load("folder") == "");
    CHECK_FALSE(store.load("absent"));
}

TEST_CASE("what the code page has is the same after both conversions", "[base][encoding]") {
    for (const std::string text : {"", "C:\\db", "set dbpath x"}) {
        CHECK(ansi_from_utf8(text) == text);
        CHECK(utf8_from_ansi(text) == text);
    }
    std::string all;
    for (int c = 1; c < 256; ++c)
        all += static_cast<char>(c);
    // Any bytes may come from outside.
    const std::string utf8 = utf8_from_ansi(all);
    CHECK(utf8_from_ansi(ansi_from_utf8(utf8)) == utf8);
#ifdef _WIN32
    CHECK(ansi_from_utf8("\u6F22\u03B1") == "??");
    CHECK(utf8_from_ansi("\xE1") == "\u00E1");
#else
    CHECK(ansi_from_utf8(odd_name) == odd_name);
    CHECK(utf8 == all);
#endif
}

TEST_CASE("a path has a form for programs that speak ANSI", "[base][encoding]") {
    const TemporaryFolder folder;
    const std::string path = odd_folder_in(folder) + "file";
    REQUIRE_FALSE(write_file(path, "content"));
    const auto brief = path_for_ansi(path);
    REQUIRE(brief);
    CHECK(utf8_from_ansi(ansi_from_utf8(*brief)) == *brief);
    const auto content = read_file(*brief);
    REQUIRE(content);
    CHECK(*content == "content");
    CHECK(path_for_ansi("C:\\db") == "C:\\db");
#ifdef _WIN32
    CHECK_FALSE(path_for_ansi(path + odd_name));
#endif
}
