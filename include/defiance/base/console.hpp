#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace defiance {

// What a program with a console needs: its arguments, its streams, the terminal and Ctrl-C.

/// The arguments of this program without its name, as UTF-8. Takes those of main(), which Windows
/// gives in ANSI; there the command line itself is read.
[[nodiscard]] std::vector<std::string> program_arguments(int count, char** words);

/// Makes standard input and output pass every byte as it is: on Windows a line then ends in LF as
/// it does elsewhere. A console of Windows shows UTF-8 until the program ends. To be called before
/// anything is read or written.
void use_plain_streams();

/// From then on Ctrl-C does not end the program but is remembered; a second one ends it. A request
/// to end it politely (SIGTERM) is taken the same way.
void catch_interrupts();

/// True once the user has pressed Ctrl-C. May be asked from any thread.
[[nodiscard]] bool is_interrupted();

/// Reads lines of bounded length from a stream, whatever is in it.
class LineReader {
public:
    enum class Outcome {
        line,      ///< a whole line; the last one may lack its end
        too_long,  ///< a line longer than allowed: its beginning was kept, the rest thrown away
        end        ///< nothing is left
    };

    /// Does not close the stream.
    LineReader(std::FILE* stream, std::size_t longest) : stream_(stream), longest_(longest) {}

    /// Reads the next line without its end, which may be LF or CR LF.
    [[nodiscard]] Outcome read(std::string& line);

private:
    std::FILE* stream_;
    std::size_t longest_;
};

/// Writes a line to standard output at once, past every buffer. False when nobody reads there any
/// more, for which no signal is raised.
[[nodiscard]] bool send_line(std::string_view line);

/// Lines to whoever started this program, over a standard output that nobody else in it can write
/// to any more: what other code prints there goes to standard error instead.
class PrivateOutput {
public:
    /// Takes standard output over. There is only one, so one object is enough for a program.
    PrivateOutput();
    ~PrivateOutput();
    PrivateOutput(const PrivateOutput&) = delete;
    PrivateOutput& operator=(const PrivateOutput&) = delete;

    /// As send_line. May be called from several threads; each line arrives whole.
    [[nodiscard]] bool send(std::string_view line);

private:
    std::mutex mutex_;
    int descriptor_;
};

/// The screen and keyboard of the person at the machine, also when standard input and output lead
/// elsewhere.
class Terminal {
public:
    Terminal();

    [[nodiscard]] explicit operator bool() const { return in_ != nullptr && out_ != nullptr; }
    /// Streams to read from and write to; null when there is no terminal.
    [[nodiscard]] std::FILE* in() const { return in_.get(); }
    [[nodiscard]] std::FILE* out() const { return out_.get(); }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> in_;
    std::unique_ptr<std::FILE, Close> out_;
};

}  // namespace defiance
