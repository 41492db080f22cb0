#include <tools/match/progress_printer.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

#include <defiance/base/assert.hpp>
#include <tools/support/report.hpp>

namespace defiance {
namespace {

/// As hours, minutes and seconds.
std::string time_text(double seconds) {
    DEFIANCE_ASSERT(seconds >= 0);
    const auto whole = static_cast<long>(seconds + 0.5);
    const std::string minutes = std::to_string(whole / 60 % 60);
    const std::string rest = std::to_string(whole % 60);
    return std::to_string(whole / 3600) + ':' + (minutes.size() < 2 ? "0" : "") + minutes + ':' +
           (rest.size() < 2 ? "0" : "") + rest;
}

}  // namespace

bool ProgressPrinter::print_result(const Scoreboard& board, const ScheduledGame& game,
                                   const GameRecord& record, std::string_view place) {
    std::string winner = "-";
    if (record.first_halves != 1)
        winner = board.name(record.first_halves == 2 ? game.first : game.second);
    std::replace(winner.begin(), winner.end(), ' ', '_');
    print_line("RESULT " + std::string(result_of(record)) + " winner=" + winner +
               " reason=" + std::string(code_of(record.ending)) +
               " plies=" + std::to_string(record.plies) + " pdn=" + std::string(place));
    // At once, so that the line is not lost if the program is killed.
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

void ProgressPrinter::print_abort() {
    print_line("RESULT * winner=- reason=abort plies=0 pdn=-");
}

void ProgressPrinter::show(const Scoreboard& board, std::size_t scheduled, std::size_t left) {
    ++played_;
    const double now = stopwatch_.seconds();
    if (now < next_ && left != 0) return;
    next_ = now + 1;
    const double seconds_left = now / static_cast<double>(played_) * static_cast<double>(left);
    print_note("game " + std::to_string(board.games()) + " of " + std::to_string(scheduled) + ", " +
               time_text(seconds_left) + " left: " + board.progress());
}

}  // namespace defiance
