#include <tools/match/middleware_player.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// A longer line cannot be a move.
constexpr std::size_t longest_move = 256;
constexpr double look_seconds = 0.1;
/// Seconds that a program has to end by itself when its game is over.
constexpr double exit_seconds = 1;

Turn failed(Ending fault, std::string detail) {
    Turn turn;
    turn.fault = fault;
    turn.detail = std::move(detail);
    return turn;
}

}  // namespace

std::optional<Error> MiddlewarePlayer::begin_game(const CbGame& game) {
    end_game();
    Result<LoggedProcess> process = LoggedProcess::start(words_, folder_, printed_);
    if (!process) return Error{process.error()};
    process_.emplace(*std::move(process));
    if (game.position() == usual_start_) return std::nullopt;
    // Whether the program has understood it shows at its first move.
    static_cast<void>((*process_)->write("setup " + game.fen() + '\n', policy_.startup));
    return std::nullopt;
}

MiddlewarePlayer::Reading MiddlewarePlayer::read_line(std::string& line, double seconds) {
    DEFIANCE_ASSERT(process_);
    const Stopwatch stopwatch;
    for (;;) {
        const std::size_t end = unread_.find('\n');
        if (std::min(end, unread_.size()) > longest_move) return Reading::too_long;
        if (end != std::string::npos) {
            line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            return Reading::line;
        }
        const double left = seconds - stopwatch.seconds();
        if (is_abandoned_) return Reading::abandoned;
        if (left <= 0) return Reading::too_late;
        switch ((*process_)->read(unread_, std::min(look_seconds, left))) {
            case Process::Read::data:
                break;
            case Process::Read::closed:
                return Reading::closed;
            case Process::Read::too_late:
                // A child of it may keep the pipe open; what the program itself wrote counts.
                if ((*process_)->wait(0) && (*process_)->read(unread_, 0) != Process::Read::data)
                    return Reading::closed;
        }
    }
}

bool MiddlewarePlayer::has_unasked_output() {
    DEFIANCE_ASSERT(process_);
    if (unread_.empty()) static_cast<void>((*process_)->read(unread_, 0));
    return !trimmed(unread_).empty() || (!policy_.tolerates_blank && !unread_.empty());
}

Turn MiddlewarePlayer::take_turn(CbGame& game, const Allowance& allowance) {
    DEFIANCE_ASSERT(process_ && game.has_move());
    if (policy_.is_strict && has_unasked_output())
        return failed(Ending::unasked_output,
                      "it wrote '" + shown(unread_, 80) + "' when it was not asked");
    const Stopwatch stopwatch;
    const std::string opponents = game.plies() == 0 ? "0 0" : game.last_middleware_text();
    // A failed write is not judged here: the program may still answer, and only that counts.
    static_cast<void>((*process_)->write(opponents + '\n', allowance.limit));
    std::string line;
    Reading reading = Reading::line;
    do {
        reading = read_line(line, allowance.limit - stopwatch.seconds());
    } while (reading == Reading::line && policy_.tolerates_blank && trimmed(line).empty());
    Turn turn;
    switch (reading) {
        case Reading::line:
            if (const auto move = game.play_middleware_text(line, policy_.takes_short
                                                                      ? MiddlewareForm::may_be_short
                                                                      : MiddlewareForm::whole);
                !move)
                turn = failed(Ending::illegal_move, move.error() + " in " + game.fen());
            break;
        case Reading::too_long:
            turn = failed(Ending::illegal_move, "a line of more than 256 bytes");
            break;
        case Reading::too_late:
            turn = failed(Ending::too_late, "no answer");
            break;
        case Reading::closed:
            turn = failed(Ending::gone, "it has ended or closed its output");
            break;
        case Reading::abandoned:
            turn = failed(Ending::aborted, {});
            break;
    }
    turn.seconds = stopwatch.seconds();
    if (!turn.fault && policy_.memory != 0 && (*process_)->resident_bytes() > policy_.memory)
        turn.fault = Ending::too_large;
    return turn;
}

void MiddlewarePlayer::end_game() {
    unread_.clear();
    if (!process_) return;
    (*process_)->close_input();
    const Stopwatch stopwatch;
    // Its remaining output is discarded, so that a full pipe does not keep it from ending.
    std::string rest;
    while (!(*process_)->wait(0) && stopwatch.seconds() < exit_seconds) {
        rest.clear();
        if ((*process_)->read(rest, 0.01) == Process::Read::closed) break;
    }
    static_cast<void>((*process_)->wait(std::max(0.0, exit_seconds - stopwatch.seconds())));
    process_.reset();
}

}  // namespace defiance
