#include <tools/match/middleware_player.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// A longer line cannot be a move.
constexpr std::size_t longest_move = 256;
/// Seconds that a program has to end by itself when its game is over.
constexpr double exit_seconds = 1;

}  // namespace

std::optional<Error> MiddlewarePlayer::begin_game(const CbGame& game) {
    end_game();
    Result<LineProcess> process = LineProcess::start(words_, folder_, printed_);
    if (!process) return Error{process.error()};
    process_.emplace(*std::move(process));
    if (game.position() == usual_start_) return std::nullopt;
    // Whether the program has understood it shows at its first move.
    static_cast<void>(process_->write("setup " + game.fen() + '\n', policy_.startup));
    return std::nullopt;
}

bool MiddlewarePlayer::has_unasked_output() {
    DEFIANCE_ASSERT(process_);
    const std::string& output = process_->unread();
    return !trimmed(output).empty() || (!policy_.tolerates_blank && !output.empty());
}

Turn MiddlewarePlayer::take_turn(CbGame& game, const Allowance& allowance) {
    DEFIANCE_ASSERT(process_ && game.has_move());
    if (policy_.is_strict && has_unasked_output())
        return faulty_turn(Ending::unasked_output, "it wrote '" + shown(process_->unread(), 80) +
                                                       "' when it was not asked");
    const Stopwatch stopwatch;
    const std::string opponents = game.plies() == 0 ? "0 0" : game.last_middleware_text();
    // A failed write is not judged here: the program may still answer, and only that counts.
    static_cast<void>(process_->write(opponents + '\n', allowance.limit));
    std::string line;
    using Reading = LineProcess::Reading;
    Reading reading = Reading::line;
    do {
        reading = process_->read_line(line, longest_move, allowance.limit - stopwatch.seconds(),
                                      is_abandoned_);
    } while (reading == Reading::line && policy_.tolerates_blank && trimmed(line).empty());
    Turn turn;
    switch (reading) {
        case Reading::line:
            if (const auto move = game.play_middleware_text(line, policy_.takes_short
                                                                      ? MiddlewareForm::may_be_short
                                                                      : MiddlewareForm::whole);
                !move)
                turn = faulty_turn(Ending::illegal_move, move.error() + " in " + game.fen());
            break;
        case Reading::too_long:
            turn = faulty_turn(Ending::illegal_move, "a line of more than 256 bytes");
            break;
        case Reading::too_late:
            turn = faulty_turn(Ending::too_late, "no answer");
            break;
        case Reading::closed:
            turn = faulty_turn(Ending::gone, "it has ended or closed its output");
            break;
        case Reading::abandoned:
            turn = faulty_turn(Ending::aborted, {});
            break;
    }
    turn.seconds = stopwatch.seconds();
    if (!turn.fault && policy_.memory != 0 && process_->resident_bytes() > policy_.memory)
        turn.fault = Ending::too_large;
    return turn;
}

void MiddlewarePlayer::end_game() {
    if (!process_) return;
    process_->finish(exit_seconds);
    process_.reset();
}

}  // namespace defiance
