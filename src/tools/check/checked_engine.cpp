#include <tools/check/checked_engine.hpp>

#include <atomic>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// After which an engine counts as hung.
constexpr double answer_seconds = 5;

}  // namespace

std::optional<Error> CheckedEngine::start() {
    DEFIANCE_ASSERT(!command_.empty());
    if (engine_) return std::nullopt;
    Result<EngineProcess> engine = EngineProcess::start(command_, folder_, load_seconds);
    if (!engine) return Error{engine.error()};
    engine_.emplace(*std::move(engine));
    return std::nullopt;
}

std::optional<Error> CheckedEngine::learn() {
    if (auto problem = start()) return problem;
    DEFIANCE_ASSERT(engine_);
    bits_ = engine_->bits();
    has_is_legal_ = engine_->has_is_legal();
    const auto type = command("get gametype");
    const GameCore* core = find_game(type ? game_type_in(*type) : English::game_type);
    rules_ = core == nullptr ? nullptr : &core->rules;
    const auto list = command("get movelist B:W1:B");
    has_movelist_ = list && list->text == "movelist 0";
    return std::nullopt;
}

bool CheckedEngine::plays_english() const {
    return rules_ == &rules_of<English>;
}

Error CheckedEngine::give_up(std::string_view doing, const std::string& problem) {
    engine_.reset();
    return Error{std::string(doing) + ": " + problem};
}

Result<EngineReply> CheckedEngine::command(std::string_view text) {
    if (auto problem = start()) return *problem;
    auto reply = engine_->command(text, answer_seconds);
    if (!reply) return give_up("asked '" + shown(text) + "'", reply.error());
    return reply;
}

std::optional<Error> CheckedEngine::begin_move(const CbGame& game, const MoveOrder& order) {
    const auto reply = command(order.history.value_or(game.history_command()));
    if (!reply) return Error{reply.error()};
    DEFIANCE_ASSERT(engine_ && order.seconds >= 0);
    const Position& position = game.position();
    if (engine_->ask_move({}, to_cb_board(position), color_to_move(position), order.seconds,
                          order.info, order.more_info))
        return std::nullopt;
    return give_up("asked for a move in " + game.fen(), "its process ended");
}

Result<EngineProcess::Moved> CheckedEngine::end_move(const MoveOrder& order) {
    if (!engine_) return Error{"its process ended while it thought about a move"};
    const std::atomic<bool> is_abandoned = false;
    const double limit = answer_seconds + order.stop_after.value_or(order.seconds);
    DEFIANCE_ASSERT(limit >= answer_seconds);
    auto moved = engine_->await_move(limit, order.stop_after ? answer_seconds : 0, is_abandoned);
    using Outcome = EngineProcess::Moved::Outcome;
    if (moved.outcome == Outcome::moved) return moved;
    return give_up("asked for a move", moved.outcome == Outcome::too_late
                                           ? "no answer within " + fixed(limit, 1) + " s"
                                           : moved.problem);
}

Result<EngineProcess::Moved> CheckedEngine::move(const CbGame& game, const MoveOrder& order) {
    if (auto problem = begin_move(game, order)) return *problem;
    auto moved = end_move(order);
    if (!moved) return Error{moved.error() + ", in " + game.fen()};
    return moved;
}

Result<int> CheckedEngine::is_legal(const CbBoard& board, int color, int from, int to) {
    DEFIANCE_ASSERT(color == cb_black || color == cb_white);
    if (auto problem = start()) return *problem;
    auto answer = engine_->is_legal(board, color, from, to, answer_seconds);
    if (!answer)
        return give_up("asked islegal " + std::to_string(from) + ' ' + std::to_string(to),
                       answer.error());
    return answer;
}

Result<CBmove> CheckedEngine::last_move() {
    if (auto problem = start()) return *problem;
    auto move = engine_->last_move(answer_seconds);
    if (!move) return give_up("asked for the last CBmove", move.error());
    return move;
}

}  // namespace defiance
