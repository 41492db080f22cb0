// test_child MODE...: a program for others to start, which behaves well or badly.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace {

void say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

void sleep_long() {
    std::this_thread::sleep_for(std::chrono::seconds(60));
}

int echo() {
    char line[512];
    while (std::fgets(line, sizeof line, stdin) != nullptr)
        say(line);
    say("end\n");
    return 3;
}

int say_arguments(const std::vector<std::string>& words) {
    for (std::size_t i = 1; i < words.size(); ++i)
        say((words[i] == "--here" ? defiance::full_path("./") : words[i]) + '\n');
    return 0;
}

/// Leaves a child behind that keeps the output open.
int leave(const char* own_name) {
#ifdef _WIN32
    const std::string command = "start \"\" /b \"" + std::string(own_name) + "\" silent";
#else
    const std::string command = "'" + std::string(own_name) + "' silent &";
#endif
    say("left\n");
    return std::system(command.c_str()) == 0 ? 0 : 1;
}

/// Gives the output to somebody who does not end with this program: on Windows the process of this
/// number, which need not know.
int escape(const std::string& number) {
#ifdef _WIN32
    const HANDLE other =
        OpenProcess(PROCESS_DUP_HANDLE, FALSE, static_cast<DWORD>(std::stoul(number)));
    HANDLE given = nullptr;
    if (DuplicateHandle(GetCurrentProcess(), GetStdHandle(STD_OUTPUT_HANDLE), other, &given, 0,
                        FALSE, DUPLICATE_SAME_ACCESS) == 0)
        return 1;
#else
    static_cast<void>(number);
    int ready[2];
    if (::pipe(ready) != 0) return 1;
    if (::fork() == 0) {
        ::setsid();
        // Before that it is a part of this program, and would end with it.
        static_cast<void>(!::write(ready[1], "r", 1));
        ::close(0);
        ::close(2);
        sleep_long();
        std::_Exit(0);
    }
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) return 1;
#endif
    say("left\n");
    return 0;
}

#ifndef _WIN32
/// Leaves somebody behind who does not end with this program and goes on complaining for a minute.
int complain_for_ever() {
    int ready[2];
    if (::pipe(ready) != 0) return 1;
    if (::fork() == 0) {
        ::setsid();
        static_cast<void>(!::write(ready[1], "r", 1));
        ::close(0);
        ::close(1);
        for (int i = 0; i < 3000; ++i) {
            if (::write(2, "still here\n", 11) < 0) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        std::_Exit(0);
    }
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) return 1;
    say("left\n");
    return 0;
}

/// Joins the process group of the program that has started this one.
int change_group() {
    if (::setpgid(0, ::getpgid(::getppid())) != 0) return 1;
    say("gone\n");
    sleep_long();
    return 0;
}
#endif

/// Writes lines without end, a minute at most.
int babble() {
    const auto start = std::chrono::steady_clock::now();
    while (std::ferror(stdout) == 0 &&
           std::chrono::steady_clock::now() - start < std::chrono::minutes(1))
        say("x\nx\nx\nx\nx\nx\nx\nx\n");
    return 0;
}

/// Whether an interrupt was seen, asked in another thread than that which it reaches.
void say_interrupted() {
    std::thread([] { say(defiance::is_interrupted() ? "yes\n" : "no\n"); }).join();
}

int interrupt() {
    defiance::catch_interrupts();
    say_interrupted();
    std::raise(SIGINT);
    say_interrupted();
    std::raise(SIGINT);
    return 0;
}

}  // namespace

int main(int count, char** words) {
    defiance::use_plain_streams();
    const std::vector<std::string> arguments = defiance::program_arguments(count, words);
    const std::string mode = arguments.empty() ? "" : arguments[0];
    if (mode == "echo") return echo();
    if (mode == "arguments") return say_arguments(arguments);
    if (mode == "silent") {
        sleep_long();
        return 0;
    }
    if (mode == "flood") {
        const std::string block(1 << 20, 'x');
        for (int i = 0; i < 64; ++i)
            std::fwrite(block.data(), 1, block.size(), stdout);
        return 0;
    }
    if (mode == "complain") {
        say("answer\n");
        std::fputs("complaint\n", stderr);
        return 0;
    }
    if (mode == "crash") std::abort();
    if (mode == "exit") return arguments.size() > 1 ? std::stoi(arguments[1]) : 7;
    if (mode == "babble") return babble();
#ifndef _WIN32
    if (mode == "complain_for_ever") return complain_for_ever();
    if (mode == "change_group") return change_group();
    if (mode == "number") {
        say(std::to_string(::getpid()) + "\n");
        return 0;
    }
#endif
    if (mode == "leave") return leave(words[0]);
    if (mode == "escape") return escape(arguments.size() > 1 ? arguments[1] : "");
    if (mode == "interrupt") return interrupt();
    return 2;
}
