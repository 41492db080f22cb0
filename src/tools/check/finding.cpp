#include <tools/check/finding.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {

Finding pass(std::string seen) {
    return {Severity::pass, std::move(seen), {}};
}

Finding note(std::string seen) {
    return {Severity::note, std::move(seen), {}};
}

Finding fault(std::string seen, std::string why) {
    DEFIANCE_ASSERT(!why.empty());
    return {Severity::fault, std::move(seen), std::move(why)};
}

Finding broken(const Error& error) {
    return fault(error.text,
                 "CheckerBoard loads engines into itself: it crashes or hangs with them");
}

std::optional<Finding> find_move_fault(const CbGame& game, const EngineProcess::Moved& moved) {
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

std::optional<Finding> find_move_fault(CheckedEngine& engine, const CbGame& game,
                                       const MoveOrder& order) {
    const auto moved = engine.move(game, order);
    if (!moved) return broken({moved.error()});
    return find_move_fault(game, *moved);
}

}  // namespace defiance
