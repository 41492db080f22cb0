#include <defiance/engine/history.hpp>

#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {

template <class Rules>
Result<Game<Rules>> parse_history(std::string_view text) {
    const Result<Position> start = parse_fen<Rules>(take_word(text));
    if (!start) return Error{start.error()};
    if (const auto fault = find_fault(*start)) return Error{std::string(describe(*fault))};
    Game<Rules> game(*start);
    while (!text.empty()) {
        const Result<Move> move = parse_move<Rules>(game.position(), take_word(text));
        if (!move) return Error{move.error()};
        game.play(*move);
    }
    return game;
}

template Result<Game<DEFIANCE_GAME>> parse_history<DEFIANCE_GAME>(std::string_view);

}  // namespace defiance
