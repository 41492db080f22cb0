#include <defiance/rules/game.hpp>
#include <defiance/rules/game_rules.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>

#include <defiance/base/random.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>

#include "../every_game.hpp"
#include "random_position.hpp"

using namespace defiance;

namespace {

Game game_from(std::string_view fen) {
    return Game(rules_of<English>, *parse_fen(rules_of<English>, fen));
}

void play(Game& game, std::string_view text) {
    INFO(std::string(text));
    const Result<Move> move = parse_move(rules_of<English>, game.position(), text);
    REQUIRE(move);
    game.play(*move);
}

void play_round(Game& game) {
    for (const char* text : {"1-6", "32-27", "6-1", "27-32"})
        play(game, text);
}

/// Plays the king move to the position that occurred least, among those that offer nothing.
void walk(Game& game) {
    MoveList moves;
    generate_moves<English>(game.position(), moves);
    std::optional<Game> best;
    for (const Move& move : moves) {
        Game tried = game;
        tried.play(move);
        if (can_capture<English>(tried.position())) continue;
        if (!best || tried.occurrences() < best->occurrences()) best = tried;
    }
    REQUIRE(best);
    game = *best;
}

}  // namespace

TEST_CASE("a game begins open and remembers its start", "[rules][english]") {
    const Game game(rules_of<English>, start_position(English::first_side));
    CHECK(game.state() == GameState::open);
    CHECK(game.reversible_plies() == 0);
    CHECK(game.occurrences() == 1);
    CHECK(game.reversible_history().size() == 1);
}

TEST_CASE("the third occurrence of a position draws", "[rules][english]") {
    Game game = game_from("B:WK32:BK1");
    play_round(game);
    CHECK(game.occurrences() == 2);
    CHECK(game.state() == GameState::open);
    play_round(game);
    CHECK(game.occurrences() == 3);
    CHECK(game.state() == GameState::repetition);
}

TEST_CASE("79 plies of king moves draw", "[rules][english]") {
    Game game = game_from("B:WK32:BK1");
    for (int ply = 0; ply < 78; ++ply)
        walk(game);
    CHECK(game.reversible_plies() == 78);
    CHECK(game.state() == GameState::open);
    walk(game);
    CHECK(game.reversible_plies() == 79);
    CHECK(game.state() == GameState::no_progress);
}

TEMPLATE_TEST_CASE("no position is drawn sooner than the smallest limit of its game",
                   "[rules][games]", DEFIANCE_EVERY_GAME) {
    Random random(8);
    int smallest = checkerboard_plies_to_draw;
    for (int i = 0; i < 10'000; ++i) {
        const Position p = testing::random_position(random, 50);
        REQUIRE(reversible_limit<TestType>(p) >= min_reversible_limit<TestType>);
        smallest = std::min(smallest, reversible_limit<TestType>(p));
    }
    CHECK(smallest == min_reversible_limit<TestType>);
}

TEST_CASE("a move that cannot be taken back ends the memory of the game", "[rules][english]") {
    Game game = game_from("B:WK32,30:BK1,3");
    play_round(game);
    CHECK(game.reversible_plies() == 4);
    play(game, "3-7");
    CHECK(game.reversible_plies() == 0);
    CHECK(game.reversible_history().size() == 1);
    play(game, "32-27");
    CHECK(game.reversible_plies() == 1);
}

TEST_CASE("a side without a move has lost", "[rules][english]") {
    CHECK(game_from("B:W16,19:B12").state() == GameState::lost);
    CHECK(game_from("B:W30:B").state() == GameState::lost);
    Game game = game_from("B:W18:B15");
    play(game, "15x22");
    CHECK(game.state() == GameState::lost);
}
