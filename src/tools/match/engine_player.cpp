#include <tools/match/engine_player.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// For commands between moves, which take no time.
constexpr double command_seconds = 10;

}  // namespace

std::optional<Error> EnginePlayer::start() {
    Result<EngineProcess> engine = EngineProcess::start(
        command_, folder_, std::max(policy_.startup, load_seconds), printed_, &is_abandoned_);
    if (!engine) return Error{engine.error()};
    engine_.emplace(*std::move(engine));
    std::optional<Error> problem = set_up();
    if (problem) engine_.reset();
    return problem;
}

std::optional<Error> EnginePlayer::set_up() {
    DEFIANCE_ASSERT(engine_);
    const Result<EngineReply> name = engine_->command("name", command_seconds);
    if (!name) return Error{"asked for its name: " + name.error()};
    if (name->code != 0) name_ = shown(name->text, 60);
    // What CheckerBoard sends next.
    Result<EngineReply> reply = *name;
    for (const char* command : {"get book", "get movelist B:W1:B", "get gametype"}) {
        reply = engine_->command(command, command_seconds);
        if (!reply) return Error{std::string(command) + ": " + reply.error()};
    }
    game_type_ = game_type_in(*reply);
    for (const std::string& command : setup_commands_) {
        reply = engine_->command(command, command_seconds);
        if (!reply) return Error{"'" + shown(command) + "': " + reply.error()};
        if (reply->code == 0)
            return Error{"it refuses '" + shown(command) + "': " + shown(reply->text, 120)};
    }
    return std::nullopt;
}

std::optional<Error> EnginePlayer::begin_game(const CbGame&) {
    is_first_move_ = true;
    // An engine that has ended or hangs since its last game does not lose this one.
    if (engine_ && engine_->command("name", command_seconds)) return std::nullopt;
    engine_.reset();
    return start();
}

Turn EnginePlayer::take_turn(CbGame& game, const Allowance& allowance) {
    using Outcome = EngineProcess::Moved::Outcome;
    Turn turn;
    DEFIANCE_ASSERT(engine_ && game.has_move());
    const Stopwatch stopwatch;
    const int info = allowance.info | (is_first_move_ ? cb_new_game : 0);
    is_first_move_ = false;
    EngineProcess::Moved moved;
    if (engine_->ask_move(game.history_command(), to_cb_board(game.position()),
                          color_to_move(game.position()), allowance.seconds, info,
                          allowance.more_info))
        moved = engine_->await_move(allowance.limit, allowance.margin, is_abandoned_);
    turn.seconds = stopwatch.seconds();
    turn.status = moved.status;
    turn.claim = moved.result;
    switch (moved.outcome) {
        case Outcome::moved:
            turn.own_seconds = moved.engine_seconds;
            if (!game.play_board(moved.board)) {
                turn.fault = Ending::illegal_move;
                turn.detail = "the board it returned is after no legal move in " + game.fen();
            }
            break;
        case Outcome::too_late:
            turn.fault = Ending::too_late;
            turn.detail = "getmove has not returned";
            break;
        case Outcome::ended:
            turn.fault = Ending::gone;
            turn.detail = moved.problem;
            break;
        case Outcome::abandoned:
            turn.fault = Ending::aborted;
            break;
    }
    if (moved.outcome != Outcome::moved) {
        engine_.reset();
    } else if (policy_.memory != 0 && engine_->resident_bytes() > policy_.memory) {
        turn.fault = Ending::too_large;
        engine_.reset();
    }
    return turn;
}

}  // namespace defiance
