#include <tools/support/cb_game.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>

namespace defiance {
namespace {

/// A quiet move as it stands in `set gamehist`.
std::string history_text(const GameRules& rules, const Move& move) {
    return std::to_string(rules.number(move.from)) + '-' + std::to_string(rules.number(move.to));
}

}  // namespace

std::string cb_fen(const GameRules& rules, const Position& position) {
    return to_fen(rules, position, FenOrder::by_number);
}

CbGame::CbGame(const GameRules& rules, const Position& start)
    : start_(start), before_last_(start), reversible_start_(start), game_(rules, start) {}

std::vector<LegalMove> CbGame::legal_moves() const {
    MoveList moves;
    rules().generate_moves(position(), moves);
    std::vector<LegalMove> legal;
    legal.reserve(moves.size());
    for (const Move& move : moves)
        legal.push_back({rules().number(move.from), rules().number(move.to), count(move.captured),
                         to_cb_board(rules().after(position(), move))});
    return legal;
}

std::optional<int> CbGame::limit_by_law() const {
    const int limit = rules().main_road_is_held(game_.reversible_history())
                          ? reversible_plies()
                          : rules().reversible_limit(position());
    return limit < checkerboard_plies_to_draw ? std::optional(limit) : std::nullopt;
}

std::string CbGame::history_command() const {
    DEFIANCE_ASSERT(reversible_moves_.size() <= moves_.size());
    std::string text = "set gamehist " + cb_fen(rules(), reversible_start_);
    for (const std::string& move : reversible_moves_)
        text += ' ' + move;
    return text;
}

void CbGame::play(const Move& move) {
    DEFIANCE_ASSERT((position().own() & bit(move.from)) != 0);
    before_last_ = position();
    texts_.push_back(to_text(rules(), position(), move));
    moves_.push_back(move);
    DEFIANCE_ASSERT(texts_.size() == moves_.size());
    const bool reversible = is_reversible(position(), move);
    game_.play(move);
    if (reversible) {
        reversible_moves_.push_back(history_text(rules(), move));
        return;
    }
    reversible_moves_.clear();
    reversible_start_ = position();
}

std::optional<Move> CbGame::play_board(const CbBoard& returned) {
    MoveList moves;
    rules().generate_moves(position(), moves);
    for (const Move& move : moves) {
        if (to_cb_board(rules().after(position(), move)) != returned) continue;
        const Move played = move;
        play(played);
        return played;
    }
    return std::nullopt;
}

Result<Move> CbGame::play_middleware_text(std::string_view line, MiddlewareForm form) {
    Result<Move> move = parse_middleware_text(rules(), position(), line, form);
    if (move) play(*move);
    return move;
}

std::string CbGame::last_middleware_text() const {
    DEFIANCE_ASSERT(!moves_.empty());
    return to_middleware_text(rules(), before_last_, moves_.back());
}

std::string CbGame::to_pdn(const PdnHeading& heading, const PdnComments& comments) const {
    DEFIANCE_ASSERT(texts_.size() == moves_.size());
    return defiance::to_pdn(rules(), start_, texts_, heading, comments);
}

}  // namespace defiance
