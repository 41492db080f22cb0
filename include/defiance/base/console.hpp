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

/// The arguments of this program without its name, as UTF-8. On Windows, where main() gets them in
/// ANSI, they are read from the command line instead.
[[nodiscard]] std::vector<std::string> program_arguments(int count, char** words);

/// Sets the standard streams to binary mode, so that lines end in LF on Windows too, and a Windows
/// console to UTF-8 until the program ends. Elsewhere makes sure that no file takes the place of a
/// standard stream that is closed: what is written there is still lost, with an error. Must be
/// called before anything is opened, read or written.
void use_plain_streams();

/// From this call on, the first Ctrl-C or SIGTERM is recorded only; the second one ends the
/// program.
void catch_interrupts();

/// True once the user has pressed Ctrl-C. May be asked from any thread.
[[nodiscard]] bool is_interrupted();

/// Reads lines of bounded length from a stream of any bytes.
class LineReader {
public:
    enum class Outcome {
        line,      ///< a whole line; the last one may lack its line end
        too_long,  ///< longer than allowed, without its end: the rest of it was skipped
        end        ///< nothing is left
    };

    /// Does not close the stream.
    LineReader(std::FILE* stream, std::size_t max_length)
        : stream_(stream), max_length_(max_length) {}

    /// Reads the next line without its end, which may be LF or CR LF.
    [[nodiscard]] Outcome read(std::string& line);

private:
    std::FILE* stream_;
    std::size_t max_length_;
};

/// Writes a line to standard output without buffering. False when the reader has closed it; no
/// signal is raised then.
[[nodiscard]] bool send_line(std::string_view line);

/// Takes standard output over for lines of a protocol: what other code in this program prints goes
/// to standard error instead.
class PrivateOutput {
public:
    /// One object for a program.
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

/// While it lives, the keyboard of a terminal is this program's. Whoever starts a program in a
/// process group of its own, as Process does, leaves it in the background, where the system stops
/// whoever reads; so it is in the foreground meanwhile, if the one that has started it was. Ctrl-C
/// then ends this program and goes on to that one, and Ctrl-Z does nothing. Does nothing where the
/// stream is no terminal, and on Windows, where a console belongs to all its programs. One object
/// for a program.
class KeyboardTurn {
public:
    explicit KeyboardTurn(std::FILE* keyboard);
    ~KeyboardTurn();
    KeyboardTurn(const KeyboardTurn&) = delete;
    KeyboardTurn& operator=(const KeyboardTurn&) = delete;

private:
    bool is_ours_ = false;
};

/// The terminal of the user, also when standard input and output are redirected.
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
