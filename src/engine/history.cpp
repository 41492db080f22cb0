#include <defiance/engine/history.hpp>

#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>

namespace defiance {

Result<Game> parse_history(const GameRules& rules, std::string_view text) {
    const Result<Position> start = parse_fen(rules, take_word(text));
    if (!start) return Error{start.error()};
    if (const auto fault = find_fault(*start)) return Error{std::string(describe(*fault))};
    Game game(rules, *start);
    while (!text.empty()) {
        const Result<Move> move = parse_move(rules, game.position(), take_word(text));
        if (!move) return Error{move.error()};
        game.play(*move);
    }
    return game;
}

}  // namespace defiance
