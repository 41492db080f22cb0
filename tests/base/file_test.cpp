#include <defiance/base/file.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "temporary.hpp"

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

using namespace defiance;

namespace {

#ifndef _WIN32
/// While it lives no file of this process grows beyond so many bytes, as on a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit now = before_;
        now.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, signal_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    void (*signal_)(int);
    rlimit before_{};
};
#endif

std::ptrdiff_t files_in(const TemporaryFolder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

}  // namespace

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
    REQUIRE(make_folder(folder.path() + "/taken"));
    CHECK(write_file(folder.path() + "/taken", "x"));
    CHECK(files_in(folder) == 2);
}

#ifndef _WIN32
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
    bool is_written = false;
    {
        const FullDisk full(4);
        problem = write_file(path, "new content");
        is_written = write_private_file(folder.path() + "/secret", "0123456789");
    }
    REQUIRE(problem);
    CHECK(problem->text.find("cannot be written: ") != std::string::npos);
    CHECK(*read_file(path) == "old");
    CHECK_FALSE(is_written);
    CHECK(files_in(folder) == 1);
    CHECK(write_private_file(folder.path() + "/secret", "0123456789"));
    CHECK_FALSE(write_private_file(folder.path() + "/secret", "another"));
    CHECK(*read_file(folder.path() + "/secret") == "0123456789");
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
        ::_exit(rename_file(path + "/from", path + "/to") ? renamed : not_renamed);
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
    CHECK(LockFile::hold(folder.path() + "/no/lock").error() ==
          "the file '" + folder.path() + "/no/lock' cannot be created");
}
