// `defiance store dump`, `load` and `merge` where something is in the way; the test of the console
// tool has the rest.

#include "dump_fixture.hpp"

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <tools/support/arguments.hpp>

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

namespace defiance {
namespace {

ExitCode run_store_task(ExitCode (*task)(const Arguments&),
                        const std::vector<std::string_view>& words) {
    constexpr Option options[] = {text_option("dir"), text_option("store"), text_option("out")};
    const auto arguments = Arguments::parse({options, "a task", 0, 100}, words);
    REQUIRE(arguments);
    return task(*arguments);
}

ExitCode dump_to(const std::string& folder, const std::string& out) {
    return run_store_task(dump_store, {"dump", "--dir", folder, "--out", out});
}

/// The folder of a store with one position, which nobody uses.
std::string begin_store(DumpFixture& fixture) {
    const GameCore& core = *find_game("english");
    fixture.load(searched_line(core.rules, core.rules.start_position(), 1, 5, 0), &core);
    fixture.store.reset();
    return fixture.folder.path();
}

std::string content_of_file(const std::string& path) {
    const auto content = read_file(path);
    return content ? *content : content.error();
}

std::ptrdiff_t count_files(const TemporaryFolder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

}  // namespace

TEST_CASE("a dump takes the place of no file of a store", "[posdb][dump]") {
    DumpFixture fixture;
    const std::string folder = begin_store(fixture);
    fixture.folder.write("secret.txt", "a secret of the server");
    fixture.folder.write("english.journal", "");
    const std::string file = EmbeddedStore::path_in(folder, StoreGame::english);
    const std::string before = content_of_file(file);
    for (const char* name :
         {"english.ckdb", "./english.ckdb", "queue.ckdb", "czech.ckdb", "other.ckdb", "a.CKDB",
          "lock", "secret.txt", "english.journal", "czech.journal", "a.ckdb.new", "english.batch"})
        CHECK(dump_to(folder, folder + '/' + name) == exit_wrong_input);
    CHECK(dump_to(folder + '/', file) == exit_wrong_input);
    // Not by another name either.
    std::error_code problem;  // not every system for files has links
    std::filesystem::create_hard_link(file, folder + "/link", problem);
    if (!problem) CHECK(dump_to(folder, folder + "/link") == exit_wrong_input);
    CHECK(content_of_file(file) == before);
    CHECK(content_of_file(folder + "/secret.txt") == "a secret of the server");
    CHECK_FALSE(file_exists(folder + "/other.ckdb"));
    // Other files may lie there.
    CHECK(dump_to(folder, folder + "/dump.txt") == exit_done);
    CHECK(content_of_file(folder + "/dump.txt").starts_with("game english 1\n"));
}

TEST_CASE("a dump that cannot be put in its place is kept", "[posdb][dump]") {
    DumpFixture fixture;
    const std::string folder = begin_store(fixture);
    const TemporaryFolder out;
    out.write("taken.new", "of somebody else");
    const std::string taken = out.path() + "/taken";
    REQUIRE_FALSE(create_folder(taken));
    CHECK(dump_to(folder, taken) == exit_wrong_input);
    CHECK(count_files(out) == 3);
    CHECK(content_of_file(taken + ".new") == "of somebody else");
    for (const auto& entry : std::filesystem::directory_iterator(out.path())) {
        const std::string path = text_of(entry.path());
        const std::string name = text_of(entry.path().filename());
        if (!entry.is_regular_file() || name == "taken.new") continue;
        CHECK(name.starts_with("taken."));
        CHECK(content_of_file(path).starts_with("game english 1\n"));
        remove_file(path);
    }
    // One that can be leaves nothing else behind.
    CHECK(dump_to(folder, out.path() + "/dump.txt") == exit_done);
    CHECK(dump_to(folder, out.path() + "/no/dump.txt") == exit_wrong_input);
    CHECK(count_files(out) == 3);
    CHECK(content_of_file(taken + ".new") == "of somebody else");
}

#ifndef _WIN32
TEST_CASE("a task on a store that was interrupted does not say that it is done", "[posdb][dump]") {
    DumpFixture fixture;
    const std::string folder = begin_store(fixture);
    DumpFixture other;
    const std::string target = begin_store(other);
    DumpFixture empty;
    empty.store.reset();
    // Lines that are passed over.
    const TemporaryFile lines("game chess 1\nx\n");
    const std::string dump = lines.path();
    const std::string nothing = empty.folder.path();
    const std::vector<std::vector<std::string_view>> commands = {
        {"load", "--dir", target, dump},
        {"merge", "--dir", target, folder, folder},
        {"merge", "--dir", target, nothing},
        {"dump", "--dir", folder, "--out", target},
    };
    for (const auto& words : commands) {
        INFO(words.front());
        const pid_t child = ::fork();
        if (child == 0) {
            // What an interrupt has begun ends with the process.
            catch_interrupts();
            std::raise(SIGINT);
            const auto task = words.front() == "load"    ? load_store
                              : words.front() == "merge" ? merge_stores
                                                         : dump_store;
            ::_exit(run_store_task(task, words));
        }
        REQUIRE(child > 0);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == exit_no);
    }
}
#endif

}  // namespace defiance
