#include <tools/check/judge.hpp>

#include <algorithm>

#include <defiance/base/text.hpp>

namespace defiance {

std::optional<Finding> find_move_fault(const MatchGame& game, const EngineProcess::Moved& moved) {
    const std::vector<LegalMove> legal = game.legal_moves();
    if (std::none_of(legal.begin(), legal.end(),
                     [&](const LegalMove& move) { return move.board == moved.board; }))
        return fault("the board returned is after no legal move in " + game.fen(),
                     "CheckerBoard plays nothing and does not say why");
    if (moved.result < cb_draw || moved.result > cb_unknown)
        return fault("getmove returns " + std::to_string(moved.result) + " in " + game.fen(),
                     "only 0 to 3 have a meaning, and others can end a match game");
    if (moved.status.size() >= StatusLine::size)
        return fault("the status line has no end mark in " + game.fen(),
                     "CheckerBoard reads on into other memory");
    return std::nullopt;
}

std::optional<Finding> find_move_fault(CheckedEngine& engine, const MatchGame& game,
                                       const MoveOrder& order) {
    const auto moved = engine.move(game, order);
    if (!moved) return broken({moved.error()});
    return find_move_fault(game, *moved);
}

}  // namespace defiance
