#include <tools/match/engine_player.hpp>

#include <algorithm>
#include <exception>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// For commands between moves, which take no time.
constexpr double command_seconds = 10;
/// For each of the commands that put options back.
constexpr double last_command_seconds = 5;
/// For the move of an engine that is told to move at once because nobody wants to know any more.
constexpr double last_move_seconds = 2;

}  // namespace

EnginePlayer::~EnginePlayer() {
    try {
        put_options_back();
    } catch (const std::exception&) {
        // Without memory the options stay as they are.
    }
}

std::optional<Error> EnginePlayer::start() {
    Result<EngineProcess> engine = EngineProcess::start(
        command_, folder_, std::max(policy_.startup, load_seconds), printed_, &is_abandoned_);
    if (!engine) return Error{engine.error()};
    engine_.emplace(*std::move(engine));
    std::optional<Error> problem = set_up();
    if (problem) {
        put_options_back();
        engine_.reset();
    }
    return problem;
}

/// Notes what the option has been that the command sets, if it sets one of an engine file.
std::optional<Error> EnginePlayer::note_option(std::string_view command) {
    DEFIANCE_ASSERT(engine_);
    if (former_options_ == nullptr || stored_as_.empty()) return std::nullopt;
    if (take_word(command) != "set") return std::nullopt;
    const std::string option(take_word(command));
    if (option.empty() || former_options_->has(stored_as_, option)) return std::nullopt;
    const std::string question = "get " + option;
    const Result<EngineReply> value = engine_->command(question, command_seconds);
    if (!value) return Error{"'" + shown(question) + "': " + value.error()};
    if (value->code != 0) former_options_->note(stored_as_, option, value->text);
    return std::nullopt;
}

/// Sets the options of the engine file to what they were before the competition.
void EnginePlayer::put_options_back() {
    if (!engine_ || former_options_ == nullptr) return;
    for (const auto& [option, value] : former_options_->of(stored_as_))
        // One that does not answer is not asked again.
        if (!engine_->command("set " + option + ' ' + value, last_command_seconds)) return;
}

/// Gives up an engine that thinks about a move that nobody wants any more.
void EnginePlayer::leave_move() {
    DEFIANCE_ASSERT(engine_);
    if (former_options_ == nullptr || former_options_->of(stored_as_).empty()) return;
    // Options can be put back by an engine that moves when it is told to.
    const std::atomic<bool> is_left = false;
    const auto moved = engine_->await_move(last_move_seconds, last_move_seconds, is_left);
    if (moved.outcome == EngineProcess::Moved::Outcome::moved) put_options_back();
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
        if (auto problem = note_option(command)) return problem;
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
            leave_move();
            break;
    }
    if (moved.outcome != Outcome::moved) {
        engine_.reset();
    } else if (policy_.memory != 0 && engine_->resident_bytes() > policy_.memory) {
        turn.fault = Ending::too_large;
        put_options_back();
        engine_.reset();
    }
    return turn;
}

}  // namespace defiance
