// test_child MODE...: a program for others to start, which behaves well or badly.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

namespace {

void say(const char* text) {
    std::fputs(text, stdout);
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

}  // namespace

int main(int count, char** words) {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    const std::string mode = count > 1 ? words[1] : "";
    if (mode == "echo") return echo();
    if (mode == "arguments") {
        for (int i = 2; i < count; ++i)
            say((std::string(words[i]) + '\n').c_str());
        return 0;
    }
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
    if (mode == "crash") std::abort();
    if (mode == "exit") return 7;
    // Leaves a child behind that keeps the output open.
    if (mode == "leave") {
#ifdef _WIN32
        const std::string command = "start \"\" /b \"" + std::string(words[0]) + "\" silent";
#else
        const std::string command = "'" + std::string(words[0]) + "' silent &";
#endif
        say("left\n");
        return std::system(command.c_str()) == 0 ? 0 : 1;
    }
    return 2;
}
