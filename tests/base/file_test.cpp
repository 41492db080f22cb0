#include <defiance/base/file.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <defiance/base/system.hpp>

#include "full_disk.hpp"
#include "temporary.hpp"

#ifndef _WIN32
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace defiance;

namespace {

std::ptrdiff_t files_in(const TemporaryFolder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

}  // namespace

TEST_CASE("a name goes below a folder with one separator between", "[base]") {
    const std::string separator(1, path_separator);
    CHECK(path_below("db", "a.txt") == "db" + separator + "a.txt");
    CHECK(path_below("db/", "a.txt") == "db/a.txt");
    CHECK(path_below("db" + separator, "a.txt") == "db" + separator + "a.txt");
    CHECK(path_below("", "a.txt") == "a.txt");
    CHECK(with_final_separator("/") == "/");
    CHECK(with_final_separator("").empty());
}

TEST_CASE("a path has the separators of its system", "[base]") {
    CHECK(folder_of("a/b/c.txt") == "a/b/");
    CHECK(folder_of("/c") == "/");
    CHECK(folder_of("a/") == "a/");
    CHECK(folder_of("c.txt").empty());
    CHECK(folder_of("").empty());
#ifdef _WIN32
    CHECK(folder_of("a\\b/c\\d.txt") == "a\\b/c\\");
    CHECK(base_name_of("a\\d.txt") == "d");
#else
    CHECK(folder_of("a\\d.txt").empty());
    CHECK(folder_of("a/b\\d.txt") == "a/");
    CHECK(base_name_of("a\\d.txt") == "a\\d");
    // The folder that waits for the disk is that of the file.
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/no\\folder";
    CHECK_FALSE(write_file(path, "text"));
    CHECK(*read_file(path) == "text");
    CHECK(AppendFile::open(folder.path() + "/no\\log"));
#endif
}

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

TEST_CASE("a file that is to take the place of another has a name of its own", "[base]") {
    const TemporaryFolder folder;
    folder.write("file", "old");
    folder.write("file.new", "of somebody else");
    const std::string path = folder.path() + "/file";
    std::string first;
    std::string second;
    {
        Result<AppendFile> begun = AppendFile::create_part(path, first);
        REQUIRE(begun);
        REQUIRE(AppendFile::create_part(path, second));
        AppendFile file = *std::move(begun);
        CHECK(file.append("new"));
    }
    CHECK(first.starts_with(path + '.'));
    CHECK(first != second);
    CHECK(*read_file(first) == "new");
    CHECK(*read_file(second) == "");
    CHECK(*read_file(path) == "old");
    CHECK(*read_file(path + ".new") == "of somebody else");
    CHECK(files_in(folder) == 4);
    const Result<AppendFile> nowhere = AppendFile::create_part(folder.path() + "/no/file", first);
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().starts_with("the file '" + folder.path() +
                                      "/no/file' cannot be opened for writing: "));
}

TEST_CASE("a file that cannot be opened says why", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/no/file";
    const std::string name = "the file '" + path + "' ";
    const auto begins_longer = [](const std::string& text, const std::string& beginning) {
        return text.starts_with(beginning) && text.size() > beginning.size();
    };
    CHECK(begins_longer(read_file(path).error(), name + "cannot be opened: "));
    CHECK(begins_longer(AppendFile::open(path).error(), name + "cannot be opened for writing: "));
    CHECK(begins_longer(LockFile::hold(path).error(), name + "cannot be created: "));
}

TEST_CASE("a file that is held for a moment is replaced all the same", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/file";
    folder.write("file", "old");
    const auto hold = [&] {
        // As a virus scanner of Windows does. Elsewhere nobody is in the way.
        return std::thread([held = std::ifstream(path)]() mutable {
            sleep_milliseconds(60);
            held.close();
        });
    };
    std::thread scanner = hold();
    const std::optional<Error> problem = write_file(path, "new");
    scanner.join();
    INFO((problem ? problem->text : ""));
    CHECK_FALSE(problem);
    CHECK(*read_file(path) == "new");
    folder.write("part", "newer");
    scanner = hold();
    CHECK_FALSE(move_into_place(folder.path() + "/part", path));
    scanner.join();
    CHECK(*read_file(path) == "newer");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("a file takes the place and the name of another one", "[base]") {
    const TemporaryFolder folder;
    const std::string from = folder.path() + "/from";
    const std::string to = folder.path() + "/to";
    folder.write("from", "new");
    REQUIRE_FALSE(move_into_place(from, to));
    CHECK_FALSE(file_exists(from));
    folder.write("from", "newer");
    REQUIRE_FALSE(move_into_place(from, to));
    CHECK(*read_file(to) == "newer");
    CHECK(move_into_place(from, to));
    const std::optional<Error> problem = move_into_place(from, to);
    REQUIRE(problem);
    const std::string beginning = "the file '" + from + "' cannot be given the name '" + to + "': ";
    CHECK(problem->text.starts_with(beginning));
    CHECK(problem->text.size() > beginning.size() + 5);
    CHECK(*read_file(to) == "newer");
}

TEST_CASE("a file that is written takes the place of the old one", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/file";
    CHECK_FALSE(write_file(path, "old"));
    CHECK_FALSE(write_file(path, "new"));
    CHECK(*read_file(path) == "new");
    CHECK(files_in(folder) == 1);
    const std::optional<Error> problem = write_file(folder.path() + "/no/file", "x");
    REQUIRE(problem);
    CHECK(
        problem->text.starts_with("the file '" + folder.path() + "/no/file' cannot be written: "));
    // A folder of this name cannot be replaced.
    REQUIRE_FALSE(create_folder(folder.path() + "/taken"));
    CHECK(write_file(folder.path() + "/taken", "x"));
    CHECK(files_in(folder) == 2);
}

#ifndef _WIN32
#ifndef _WIN32
TEST_CASE("a device is not replaced by a file", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    folder.write("file", "content");
    const auto of_writing = write_file(path, "new content");
    const auto of_moving = move_into_place(folder.path() + "/file", path);
    REQUIRE(of_writing);
    CHECK(of_writing->text ==
          "the file '" + path + "' cannot be written: what has the name is a device");
    REQUIRE(of_moving);
    CHECK(std::filesystem::is_fifo(path));
    CHECK(files_in(folder) == 2);
}
#endif

TEST_CASE("threads that write one file do not disturb each other", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/file";
    constexpr std::size_t size = 100'000;
    std::atomic<int> faults = 0;
    std::vector<std::thread> threads;
    for (const char letter : {'a', 'b', 'c', 'd'})
        threads.emplace_back([&, letter] {
            for (int i = 0; i < 4; ++i)
                if (write_file(path, std::string(size, letter))) ++faults;
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(faults == 0);
    const std::string content = *read_file(path);
    CHECK(content == std::string(size, content.at(0)));
    CHECK(files_in(folder) == 1);
}

TEST_CASE("what a full disk cannot take leaves nothing behind", "[base]") {
    const TemporaryFolder folder;
    folder.write("file", "old");
    const std::string path = folder.path() + "/file";
    std::optional<Error> problem;
    std::optional<Error> problem_of_secret;
    {
        const FullDisk full(4);
        problem = write_file(path, "new content");
        problem_of_secret = write_private_file(folder.path() + "/secret", "0123456789");
    }
    REQUIRE(problem);
    CHECK(problem->text.find("cannot be written: ") != std::string::npos);
    CHECK(*read_file(path) == "old");
    REQUIRE(problem_of_secret);
    CHECK(problem_of_secret->text.starts_with("the file '" + folder.path() +
                                              "/secret' cannot be written: "));
    CHECK(files_in(folder) == 1);
}

TEST_CASE("a folder that cannot be read keeps no file from its new name", "[base]") {
    constexpr uid_t nobody = 65534;
    constexpr int renamed = 0;
    constexpr int not_renamed = 1;
    constexpr int not_tried = 2;
    const TemporaryFolder folder;
    folder.write("from", "new");
    const std::string path = folder.path();
    REQUIRE(::chmod(path.c_str(), 0300) == 0);
    // Root can read every folder, so a process of its own gives the folder to another user, whom it
    // then becomes.
    const pid_t child = ::fork();
    if (child == 0) {
        const bool is_user = ::geteuid() != 0 ||
                             (::chown(path.c_str(), nobody, nobody) == 0 && ::setuid(nobody) == 0);
        const bool can_only_write =
            ::access(path.c_str(), W_OK | X_OK) == 0 && ::access(path.c_str(), R_OK) != 0;
        if (!is_user || !can_only_write) ::_exit(not_tried);
        ::_exit(move_into_place(path + "/from", path + "/to") ? not_renamed : renamed);
    }
    REQUIRE(child > 0);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(::chmod(path.c_str(), 0700) == 0);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == not_tried) {
        WARN("there is no other user who could write to this folder: not tested");
        return;
    }
    REQUIRE(WEXITSTATUS(status) == renamed);
    CHECK(*read_file(path + "/to") == "new");
}
#endif

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
}
