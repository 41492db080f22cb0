#include <tools/support/middleware_notation.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/path.hpp>

namespace defiance {
namespace {

/// No move has more squares than this.
constexpr std::size_t max_squares = 14;

}  // namespace

std::string to_middleware_text(const GameRules& rules, const Position& position, const Move& move) {
    const auto number = [&](int square) { return std::to_string(rules.number(square)); };
    DEFIANCE_ASSERT((position.own() & bit(move.from)) != 0);
    std::string text = number(move.from);
    if (!move.is_capture()) return text + ' ' + number(move.to);
    for (const Jump& jump : path_of(rules, position, move))
        text += ' ' + number(jump.landing);
    return text;
}

Result<Move> parse_middleware_text(const GameRules& rules, const Position& position,
                                   std::string_view text, MiddlewareForm form) {
    std::string_view rest = text;
    std::string squares;
    std::size_t count_of_squares = 0;
    while (!trimmed(rest).empty()) {
        const auto number = parse_integer(take_word(rest), 1, 32);
        if (!number || ++count_of_squares > max_squares)
            return Error{"'" + shown(text) + "' is not a list of squares"};
        squares += (squares.empty() ? "" : "x") + std::to_string(*number);
    }
    Result<Move> move = parse_move(rules, position, squares);
    if (!move) return Error{"'" + shown(text) + "' is not a legal move"};
    const auto jumps = static_cast<std::size_t>(count(move->captured));
    DEFIANCE_ASSERT(jumps < max_squares);
    if (form == MiddlewareForm::whole && count_of_squares != (jumps == 0 ? 2 : jumps + 1))
        return Error{"'" + shown(text) + "' leaves squares out"};
    return move;
}

}  // namespace defiance
