#include <tools/support/middleware.hpp>

#include <defiance/base/text.hpp>
#include <defiance/rules/generator.hpp>
#include <tools/support/games.hpp>
#include <tools/support/middleware_notation.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

constexpr std::string_view giving_up = "Give up!";

/// "0 0", with any white space and any number of zeros.
bool asks_for_first_move(std::string_view line) {
    for (int i = 0; i < 2; ++i)
        if (!parse_integer(take_word(line), 0, 0)) return false;
    return trimmed(line).empty();
}

}  // namespace

template <class Rules>
typename MiddlewareSide<Rules>::Answer MiddlewareSide<Rules>::answer(std::string_view line) {
    if (options_.takes_positions) {
        std::string_view rest = line;
        if (take_word(rest) == "setup") return set_up(rest);
    }
    if (asks_for_first_move(line)) {
        if (has_begun_ && !options_.plays_several_games)
            return complain("a second '0 0': the game has begun already");
        if (has_begun_) game_ = CbGame<Rules>(start_position(Rules::first_side));
        has_begun_ = true;
        return move();
    }
    const Result<Move> opponents = parse_middleware_text<Rules>(game_.position(), line);
    if (!opponents) return complain(opponents.error() + " in " + cb_fen<Rules>(game_.position()));
    has_begun_ = true;
    game_.play(*opponents);
    return move();
}

template <class Rules>
typename MiddlewareSide<Rules>::Answer MiddlewareSide<Rules>::set_up(std::string_view fen) {
    if (has_begun_ && !options_.plays_several_games)
        return complain("a position to set up: the game has begun already");
    const Result<Position> position = read_position<Rules>(fen);
    if (!position) return complain("setup: " + position.error());
    game_ = CbGame<Rules>(*position);
    has_begun_ = false;
    return {};
}

template <class Rules>
typename MiddlewareSide<Rules>::Answer MiddlewareSide<Rules>::move() {
    std::optional<Move> chosen;
    if (count_moves<Rules>(game_.position()) != 0) chosen = player_.choose(game_);
    if (!chosen) return {std::string(giving_up), {}, !options_.plays_several_games};
    std::string line = to_middleware_text<Rules>(game_.position(), *chosen);
    game_.play(*chosen);
    return {std::move(line), {}, false};
}

template <class Rules>
typename MiddlewareSide<Rules>::Answer MiddlewareSide<Rules>::complain(std::string problem) const {
    if (options_.ignores_rubbish) return {std::nullopt, std::move(problem), false};
    return {std::string(giving_up), std::move(problem), true};
}

template class MiddlewareSide<DEFIANCE_GAME>;

}  // namespace defiance
