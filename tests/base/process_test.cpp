#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include <defiance/base/clock.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>

#include <csignal>
#endif

#include "temporary.hpp"

using namespace defiance;

namespace {

/// The program of the tests that is there to be started, beside this one.
std::string child_program() {
    const std::filesystem::path own = module_path();
    return (own.parent_path() / ("test_child" + own.extension().string())).string();
}

Process start(std::vector<std::string> words) {
    words.insert(words.begin(), child_program());
    Result<Process> process = Process::start(words);
    INFO((process ? "" : process.error()));
    REQUIRE(process);
    return *std::move(process);
}

/// What the system calls this process.
std::string own_number() {
#ifdef _WIN32
    return std::to_string(GetCurrentProcessId());
#else
    return std::to_string(getpid());
#endif
}

/// Reads until the text ends in a line feed or nothing more comes.
std::string read_line(Process& process, double seconds = 20) {
    std::string text;
    while (text.empty() || text.back() != '\n')
        if (process.read(text, seconds) != Process::Read::data) break;
    return text;
}

}  // namespace

TEST_CASE("a program answers lines and ends with its status", "[base][process]") {
    Process process = start({"echo"});
    CHECK(process.write("11 15\n", 1));
    CHECK(read_line(process) == "11 15\n");
    CHECK(process.write("2 11 18\n", 1));
    CHECK(read_line(process) == "2 11 18\n");
    CHECK_FALSE(process.wait(0));
    process.close_input();
    CHECK(read_line(process) == "end\n");
    std::string rest;
    CHECK(process.read(rest, 20) == Process::Read::closed);
    CHECK(rest.empty());
    CHECK(process.wait(20) == 3);
    CHECK(process.wait(0) == 3);
    CHECK_FALSE(process.write("more\n", 1));
}

TEST_CASE("a program gets its arguments as they are", "[base][process]") {
    const std::vector<std::string> words = {
        "plain", "two words", "", "a\"b", "back\\slash\\", "c\\\"d", "'single'", "$HOME %PATH%"};
    std::vector<std::string> all = {"arguments"};
    all.insert(all.end(), words.begin(), words.end());
    Process process = start(all);
    std::string text;
    while (process.read(text, 20) == Process::Read::data) {
    }
    std::string expected;
    for (const std::string& word : words)
        expected += word + '\n';
    CHECK(text == expected);
    CHECK(process.wait(20) == 0);
}

TEST_CASE("a relative path to a program begins in the folder of who starts it", "[base][process]") {
    const TemporaryFolder elsewhere;
    const std::filesystem::path program = child_program();
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(program.parent_path());
    const std::filesystem::path relative = std::filesystem::path(".") / program.filename();
    Result<Process> process = Process::start({relative.string(), "exit"}, elsewhere.path());
    std::filesystem::current_path(before);
    INFO((process ? "" : process.error()));
    REQUIRE(process);
    Process started = *std::move(process);
    CHECK(started.wait(20) == 7);
}

TEST_CASE("a program that cannot be started is an error that names it", "[base][process]") {
    const Result<Process> process = Process::start({"/absent/program_of_nobody"});
    REQUIRE_FALSE(process);
    CHECK(process.error().find("program_of_nobody") != std::string::npos);
    CHECK_FALSE(Process::start({}));
}

TEST_CASE("a program cannot be started in a folder that does not exist", "[base][process]") {
    const Result<Process> process = Process::start({child_program()}, "no such folder");
    REQUIRE_FALSE(process);
    CHECK(process.error() == "the folder 'no such folder' does not exist");
}

TEST_CASE("a silent program is waited for as long as asked and then killed", "[base][process]") {
    Process process = start({"silent"});
    std::string text;
    const Stopwatch stopwatch;
    CHECK(process.read(text, 0.1) == Process::Read::too_late);
    CHECK(stopwatch.seconds() >= 0.09);
    process.kill();
    CHECK(process.read(text, 20) == Process::Read::closed);
    const std::optional<int> status = process.wait(20);
    REQUIRE(status);
    CHECK(*status >= 128);
    CHECK(stopwatch.seconds() < 30);
}

TEST_CASE("a program that ends or crashes is seen to have ended", "[base][process]") {
    Process ended = start({"exit"});
    std::string text;
    CHECK(ended.read(text, 20) == Process::Read::closed);
    CHECK(ended.wait(20) == 7);
    Process crashed = start({"crash"});
    while (crashed.read(text, 20) == Process::Read::data) {
    }
    const std::optional<int> status = crashed.wait(20);
    REQUIRE(status);
    CHECK(*status != 0);
}

TEST_CASE("standard error is collected apart from the output", "[base][process]") {
    Result<Process> process =
        Process::start({child_program(), "complain"}, {}, Process::Errors::collected);
    REQUIRE(process);
    Process running = *std::move(process);
    std::string errors;
    while (running.read_errors(errors, 20) == Process::Read::data) {
    }
    CHECK(trimmed(errors) == "complaint");
    CHECK(read_line(running) == "answer\n");
    CHECK(running.wait(20) == 0);
    CHECK(running.read_errors(errors, 20) == Process::Read::closed);
    // Nothing is collected where it is shared.
    CHECK(start({"exit"}).read_errors(errors, 20) == Process::Read::closed);
}

TEST_CASE("what floods in is taken in pieces", "[base][process]") {
    Process process = start({"flood"});
    std::size_t total = 0;
    std::string piece;
    std::size_t longest = 0;
    while (process.read(piece, 20) == Process::Read::data) {
        longest = std::max(longest, piece.size());
        total += piece.size();
        piece.clear();
    }
    CHECK(total == std::size_t{64} << 20);
    CHECK(longest <= 64 * 1024);
    CHECK(process.wait(20) == 0);
}

TEST_CASE("what a program leaves behind ends with it", "[base][process]") {
    Process process = start({"leave"});
    CHECK(read_line(process) == "left\n");
    CHECK(process.wait(20) == 0);
    std::string text;
    CHECK(process.read(text, 0.2) == Process::Read::too_late);
    process.kill();
    CHECK(process.read(text, 20) == Process::Read::closed);
}

TEST_CASE("the end waits for nobody outside who holds the output", "[base][process]") {
    const Stopwatch stopwatch;
    {
        Process process = start({"escape", own_number()});
        CHECK(read_line(process) == "left\n");
        CHECK(process.wait(20) == 0);
        std::string text;
        CHECK(process.read(text, 0.05) == Process::Read::too_late);
        process.kill();
        CHECK(process.read(text, 0.05) == Process::Read::too_late);
    }
    // Far below the time for which the output is held.
    CHECK(stopwatch.seconds() < 40);
}

#ifndef _WIN32
TEST_CASE("nobody gets the number of a program before what it left behind is killed",
          "[base][process]") {
    Process process = start({"number"});
    const auto number = parse_integer(trimmed(read_line(process)), 1, INT32_MAX);
    REQUIRE(number);
    const auto is_taken = [&] { return ::kill(static_cast<pid_t>(*number), 0) == 0; };
    CHECK(process.wait(20) == 0);
    CHECK(is_taken());
    process.kill();
    CHECK_FALSE(is_taken());
    CHECK(process.wait(0) == 0);
}

TEST_CASE("a program that has left its process group is killed too", "[base][process]") {
    Process process = start({"change_group"});
    CHECK(read_line(process) == "gone\n");
    const Stopwatch stopwatch;
    process.kill();
    CHECK(process.wait(20) == 128 + 9);
    // Far below the time for which it would go on.
    CHECK(stopwatch.seconds() < 40);
}
#endif

TEST_CASE("a program that does not read is not waited for beyond the time", "[base][process]") {
    Process process = start({"silent"});
    const std::string line(1 << 20, 'x');
    const Stopwatch stopwatch;
    CHECK_FALSE(process.write(line, 0.2));
    CHECK(stopwatch.seconds() >= 0.19);
    CHECK(stopwatch.seconds() < 30);
}

TEST_CASE("Ctrl-C is remembered once, and seen by every thread", "[base][process]") {
    Process process = start({"interrupt"});
    // Both lines may come at once.
    std::string answers;
    while (process.read(answers, 20) == Process::Read::data) {
    }
    CHECK(answers == "no\nyes\n");
    const std::optional<int> status = process.wait(20);
    REQUIRE(status);
    CHECK(*status != 0);
}

#ifdef _WIN32
TEST_CASE("a large exit code is no crash", "[base][process]") {
    CHECK(start({"exit", "1000"}).wait(20) == 1000);
    CHECK(start({"exit", "-1"}).wait(20) == 255);
    CHECK(start({"exit", "-1073741819"}).wait(20) == 137);  // STATUS_ACCESS_VIOLATION
}

TEST_CASE("a program is started whatever standard error is", "[base][process]") {
    const HANDLE before = GetStdHandle(STD_ERROR_HANDLE);
    // A console of Windows 7, none, and one that is closed.
    for (const std::intptr_t number : {0x13, 0, -1, 0x7FFFFFF0}) {
        SetStdHandle(STD_ERROR_HANDLE, reinterpret_cast<HANDLE>(number));
        Result<Process> process = Process::start({child_program(), "exit"});
        SetStdHandle(STD_ERROR_HANDLE, before);
        INFO(number << ' ' << (process ? "" : process.error()));
        REQUIRE(process);
        Process started = *std::move(process);
        CHECK(started.wait(20) == 7);
    }
}
#endif
