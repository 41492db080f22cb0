#include <tools/support/middleware.hpp>

#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>

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

MiddlewareSide::Answer MiddlewareSide::answer(std::string_view line) {
    if (options_.takes_positions) {
        std::string_view rest = line;
        if (take_word(rest) == "setup") return set_up(rest);
    }
    if (asks_for_first_move(line)) {
        if (has_begun_ && !options_.plays_several_games)
            return complain("a second '0 0': the game has begun already");
        if (has_begun_) begin(CbGame(game_.rules()));
        has_begun_ = true;
        return move();
    }
    if (trimmed(line) == giving_up) return end_game(std::nullopt);
    const Result<Move> opponents = game_.play_middleware_text(line);
    if (!opponents) return complain(opponents.error() + " in " + game_.fen());
    has_begun_ = true;
    return move();
}

MiddlewareSide::Answer MiddlewareSide::set_up(std::string_view fen) {
    if (has_begun_ && !options_.plays_several_games)
        return complain("a position to set up: the game has begun already");
    const Result<Position> position = read_position(game_.rules(), fen);
    if (!position) return complain("setup: " + position.error());
    begin(CbGame(game_.rules(), *position));
    return {};
}

void MiddlewareSide::begin(CbGame game) {
    game_ = std::move(game);
    has_begun_ = false;
    player_.begin_game();
}

MiddlewareSide::Answer MiddlewareSide::move() {
    std::optional<Move> chosen;
    if (game_.has_move()) chosen = player_.choose(game_);
    DEFIANCE_ASSERT(has_begun_);
    if (!chosen) return end_game(std::string(giving_up));
    game_.play(*chosen);
    return {game_.last_middleware_text(), {}, false};
}

/// One side has given up. With several games the next line may be the first of another, in which
/// this side has either colour.
MiddlewareSide::Answer MiddlewareSide::end_game(std::optional<std::string> line) {
    if (options_.plays_several_games) begin(CbGame(game_.rules()));
    return {std::move(line), {}, !options_.plays_several_games};
}

MiddlewareSide::Answer MiddlewareSide::complain(std::string problem) const {
    DEFIANCE_ASSERT(!problem.empty());
    if (options_.ignores_illegal_lines) return {std::nullopt, std::move(problem), false};
    return {std::string(giving_up), std::move(problem), true};
}

}  // namespace defiance
