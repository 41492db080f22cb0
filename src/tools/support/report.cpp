#include <tools/support/report.hpp>

#include <cstdio>
#include <string>

namespace defiance {
namespace {

// In one piece, so that lines of several threads stay whole.
void write_line(std::FILE* stream, std::string_view line) {
    const std::string text = std::string(line) + '\n';
    std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace

void print_line(std::string_view line) {
    write_line(stdout, line);
}

void print_note(std::string_view line) {
    write_line(stderr, line);
}

ExitCode fail(std::string_view problem) {
    print_note("defiance: " + std::string(problem));
    return exit_wrong_input;
}

}  // namespace defiance
