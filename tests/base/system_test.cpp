#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <thread>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>

#include "temporary.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/resource.h>
#endif

using namespace defiance;

TEST_CASE("capital letters in names count where the system says so", "[base]") {
    CHECK(is_same_name("/games/a.pdn", "/games/a.pdn"));
    CHECK_FALSE(is_same_name("/games/a.pdn", "/games/b.pdn"));
#ifdef _WIN32
    CHECK(is_same_name("C:\\Games\\A.pdn", "c:\\games\\a.PDN"));
#else
    CHECK_FALSE(is_same_name("/games/a.pdn", "/games/A.pdn"));
#endif
}

TEST_CASE("paths that depend on a current folder are told apart", "[base]") {
    CHECK_FALSE(is_absolute(""));
    CHECK_FALSE(is_absolute("db"));
    CHECK_FALSE(is_absolute("db/six"));
    CHECK_FALSE(is_absolute("../db"));
    CHECK_FALSE(is_absolute("./db"));
    CHECK(is_absolute(std::filesystem::temp_directory_path().string()));
#ifdef _WIN32
    CHECK(is_absolute("C:\\db"));
    CHECK(is_absolute("c:/db"));
    CHECK(is_absolute("C:"));
    CHECK(is_absolute("C:db"));
    CHECK(is_absolute("\\\\computer\\db"));
    CHECK(is_absolute("\\db"));
    CHECK(is_absolute("/db"));
    CHECK(is_absolute("\\"));
    CHECK_FALSE(is_absolute(":db"));
#else
    CHECK(is_absolute("/"));
    CHECK(is_absolute("/db"));
    CHECK_FALSE(is_absolute("\\db"));
    CHECK_FALSE(is_absolute("C:/db"));
    CHECK_FALSE(is_absolute("C:"));
    CHECK_FALSE(is_absolute("C:db"));
#endif
}

TEST_CASE("a thread takes the priority of another", "[base]") {
    const int before = thread_priority();
#ifdef _WIN32
    constexpr int below_normal = -1;  // what CheckerBoard sets for "low"
#else
    constexpr int below_normal = 0;
#endif
    set_thread_priority(below_normal);
    int taken = 77;
    std::thread other([&, wanted = thread_priority()] {
        set_thread_priority(wanted);
        taken = thread_priority();
    });
    other.join();
    CHECK(taken == below_normal);
    set_thread_priority(before);
    CHECK(thread_priority() == before);
}

#ifdef _WIN32
TEST_CASE("the boxes of Windows are kept away for a while, on one thread", "[base]") {
    constexpr DWORD boxes = SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX;
    const DWORD before = GetThreadErrorMode();
    REQUIRE(SetThreadErrorMode(0, nullptr) != 0);
    {
        const NoSystemDialogs outer;
        CHECK((GetThreadErrorMode() & boxes) == boxes);
        DWORD of_other = 77;
        std::thread([&] { of_other = GetThreadErrorMode(); }).join();
        CHECK((of_other & boxes) == 0);
        {
            const NoSystemDialogs inner;
            CHECK((GetThreadErrorMode() & boxes) == boxes);
        }
        CHECK((GetThreadErrorMode() & boxes) == boxes);
    }
    CHECK(GetThreadErrorMode() == 0);
    SetThreadErrorMode(before, nullptr);
}
#endif

TEST_CASE("a folder is made where there is none", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + path_separator + "new";
    CHECK_FALSE(create_folder(path));
    CHECK(std::filesystem::is_directory(path));
    folder.write("file", "content");

    SECTION("one that is there already stays as it is") {
        const std::string inner = path + path_separator + "inner";
        CHECK_FALSE(create_folder(inner));
        CHECK_FALSE(create_folder(path));
        CHECK(std::filesystem::is_directory(inner));
    }
    SECTION("a final separator does no harm") {
        CHECK_FALSE(create_folder(path + path_separator));
        CHECK_FALSE(create_folder(folder.path() + path_separator + "other" + path_separator));
        CHECK(std::filesystem::is_directory(folder.path() + path_separator + "other"));
    }
    SECTION("with those that it is to lie in") {
        const std::string inner = path + path_separator + "a" + path_separator + "b" +
                                  path_separator + path_separator + "c";
        CHECK_FALSE(create_folder(inner + path_separator));
        CHECK(std::filesystem::is_directory(inner));
        CHECK_FALSE(create_folder(inner));
    }
    SECTION("not where a file is, nor below one, nor without a name") {
        const std::string file = folder.path() + path_separator + "file";
        for (const std::string& wanted :
             {file, file + path_separator + "inner" + path_separator + "most", std::string()}) {
            CHECK(create_folder(wanted));
            const auto problem = create_folder(wanted);
            REQUIRE(problem);
            const std::string beginning = "the folder '" + wanted + "' cannot be created: ";
            CHECK(problem->text.starts_with(beginning));
            CHECK(problem->text.size() > beginning.size() + 5);
        }
    }
}

TEST_CASE("what is written is there as a whole", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + path_separator + "file";
    CHECK_FALSE(file_exists(path));
    CHECK_FALSE(write_file(path, std::string("a\0\n\r", 4)));
    CHECK(file_exists(path));
    CHECK(std::filesystem::file_size(path) == 4);
    CHECK_FALSE(write_file(path, ""));
    CHECK(std::filesystem::file_size(path) == 0);
    // Nothing else is left in the folder.
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    CHECK_FALSE(file_exists(folder.path()));
#ifdef _WIN32
    for (const char* device : {"NUL", "nul", "C:/NUL"})
        CHECK_FALSE(file_exists(device));
#else
    CHECK_FALSE(file_exists("/dev/null"));
#endif
    // Why nothing could be written: there is no such folder; there is a folder of this name.
    const std::string nowhere = folder.path() + path_separator + "no" + path_separator + "file";
    const auto missing = write_file(nowhere, "a");
    REQUIRE(missing);
    CHECK(missing->text ==
          "the file '" + nowhere + "' cannot be written: No such file or directory");
    REQUIRE_FALSE(create_folder(folder.path() + path_separator + "taken"));
    const std::string taken = folder.path() + path_separator + "taken";
    const auto in_the_way = write_file(taken, "a");
    REQUIRE(in_the_way);
    const std::string beginning = "the file '" + taken + "' cannot be written: ";
    CHECK(in_the_way->text.starts_with(beginning));
    CHECK(in_the_way->text.size() > beginning.size() + 5);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

#ifndef _WIN32
TEST_CASE("as many files may be open as are asked for, or as the system allows", "[base]") {
    const auto allowed = [] {
        rlimit limit{};
        REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
        return limit;
    };
    const rlimit before = allowed();
    rlimit low = before;
    low.rlim_cur = std::min<rlim_t>(before.rlim_max, 500);
    REQUIRE(setrlimit(RLIMIT_NOFILE, &low) == 0);
    allow_open_files(100);
    CHECK(allowed().rlim_cur == low.rlim_cur);
    allow_open_files(600);
    CHECK(allowed().rlim_cur == std::min<rlim_t>(before.rlim_max, 600));
    CHECK(allowed().rlim_max == before.rlim_max);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
}
#endif
