// bad_player WORD...: speaks the Checkers Middleware protocol as a script tells it, to see what a
// referee makes of it. A word answers the next line that is read; "|" stands for a line feed in it.
// When all words are used up, it reads until its input ends. Some words are no answers themselves:
//
//   @read         says nothing to this line
//   @blank        writes an empty line before the answer
//   @crlf         ends its lines as Windows does from now on
//   @slow         lets a second pass before the answer
//   @memory       holds 200 MiB from now on
//   @unread       closes its input: answers without being asked from now on, and ends after that
//   @silent       never says anything again
//   @exit         ends
//   @fail         ends with status 1
//   @crash        ends as a program with a fault does
//   @noise        answers with bytes that are no text
//   @long         answers with 1 GiB without a line feed
//   @last WORD    answers with the word, without a line end, does what the next word says, if there
//                 is one, and ends
//   @log FILE     writes the lines that it reads from now on into the file, too
//   @leave FILE   starts a program that keeps the output open and grows the file, and ends

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

namespace {

void sleep(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void write(const std::string& bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

/// Shows for a minute that it lives.
void grow(const char* path) {
    for (int i = 0; i < 3000; ++i) {
        std::FILE* file = std::fopen(path, "ab");
        if (file != nullptr) {
            std::fputc('x', file);
            std::fclose(file);
        }
        sleep(20);
    }
}

class BadPlayer {
public:
    explicit BadPlayer(std::string program) : program_(std::move(program)) {}

    void play(const std::vector<std::string>& words) {
        bool is_asked = false;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] == "@log" && i + 1 < words.size()) {
                log_.open(words[++i], std::ios::binary);
                continue;
            }
            if (!is_asked && !read_line()) return;
            if (words[i] == "@leave" && i + 1 < words.size()) return leave(words[i + 1]);
            if (words[i] == "@last" && i + 1 < words.size()) {
                line_end_.clear();
                answer(words[i + 1]);
                if (i + 2 < words.size()) carry_out(words[i + 2]);
                return;
            }
            is_asked = !carry_out(words[i]);
        }
        read_to_end();
    }

private:
    /// False when there are no more lines.
    bool read_line() {
        if (is_blind_) return true;
        int c = 0;
        do {
            c = std::fgetc(stdin);
            if (c != EOF && log_.is_open()) log_.put(static_cast<char>(c)).flush();
        } while (c != EOF && c != '\n');
        return c != EOF;
    }

    void read_to_end() {
        while (!is_blind_ && read_line()) {
        }
    }

    /// True when that was the answer.
    bool carry_out(const std::string& word) {
        if (word == "@read") return true;
        if (word == "@silent") read_to_end();
        if (word == "@exit") std::exit(0);
        if (word == "@fail") std::exit(1);
        if (word == "@crash") std::abort();
        if (word == "@blank") write(line_end_);
        if (word == "@crlf") line_end_ = "\r\n";
        if (word == "@slow") sleep(1000);
        if (word == "@memory") memory_.assign(std::size_t{200} << 20, 'm');
        if (word == "@unread") close_input();
        if (word == "@noise") write(std::string("\x00\xFF\x07\x1B 1 2\x80", 9) + line_end_);
        if (word == "@long") write_long_line();
        const bool is_answer = word[0] != '@';
        if (is_answer) answer(word);
        return is_answer || word == "@noise" || word == "@long" || word == "@silent";
    }

    void answer(std::string text) {
        std::replace(text.begin(), text.end(), '|', '\n');
        write(text + line_end_);
    }

    void close_input() {
        std::fclose(stdin);
        is_blind_ = true;
    }

    static void write_long_line() {
        const std::string block(1 << 20, '1');
        for (int i = 0; i < 1024; ++i)
            if (std::fwrite(block.data(), 1, block.size(), stdout) != block.size()) return;
    }

    void leave(const std::string& file) const {
#ifdef _WIN32
        const std::string command = "start \"\" /b \"" + program_ + "\" @grow \"" + file + "\"";
#else
        const std::string command = "'" + program_ + "' @grow '" + file + "' &";
#endif
        if (std::system(command.c_str()) != 0) std::exit(1);
        while (!std::filesystem::exists(file))
            sleep(10);
    }

    std::string program_;
    std::string line_end_ = "\n";
    std::ofstream log_;
    std::vector<char> memory_;
    bool is_blind_ = false;
};

}  // namespace

int main(int count, char** words) {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    if (count == 3 && std::string(words[1]) == "@grow") {
        grow(words[2]);
        return 0;
    }
    BadPlayer(words[0]).play({words + 1, words + count});
    return 0;
}
