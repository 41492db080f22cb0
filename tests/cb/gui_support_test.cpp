#include <catch2/catch.hpp>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/pdn.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

void play(EnglishGame& game, std::string_view text) {
    const Result<Move> move = parse_move(rules_of<English>, game.position(), text);
    REQUIRE(move);
    game.play(*move);
}

}  // namespace

TEST_CASE("the history begins behind the last move that cannot be taken back", "[cb][gui]") {
    EnglishGame game(start_position(Side::black));
    const std::string start =
        "set gamehist B:W21,22,23,24,25,26,27,28,29,30,31,32:"
        "B1,2,3,4,5,6,7,8,9,10,11,12";
    CHECK(game.history_command() == start);
    play(game, "11-15");
    CHECK(game.history_command() ==
          "set gamehist W:W21,22,23,24,25,26,27,28,29,30,31,32:"
          "B1,2,3,4,5,6,7,8,9,10,12,15");
    EnglishGame kings(position_of("W:W28,K18:BK1,9"));
    play(kings, "18-15");
    play(kings, "1-6");
    CHECK(kings.history_command() == "set gamehist W:WK18,28:BK1,9 18-15 1-6");
    play(kings, "28-24");
    CHECK(kings.history_command() == "set gamehist B:WK15,24:BK6,9");
}

TEST_CASE("a board is accepted only if a legal move leads to it", "[cb][gui]") {
    EnglishGame game(start_position(Side::black));
    CHECK_FALSE(game.play_board(to_cb_board(game.position())));
    CbBoard board = to_cb_board(game.position());
    board.squares[2][2] = 0;
    board.squares[3][3] = cb_black | cb_man;
    CbBoard marked = board;
    marked.squares[3][3] |= 16;
    CHECK_FALSE(game.play_board(marked));
    CHECK(game.moves().empty());
    REQUIRE(game.play_board(board));
    CHECK(game.texts().back() == "11-15");
}

TEST_CASE("a game is written as PDN that can be read again", "[cb][gui]") {
    EnglishGame game(position_of("W:W22,27:B1,18"));
    play(game, "22x15");
    play(game, "1-6");
    const std::string text = game.to_pdn({"A test", {}, "x", "y", "*"});
    PdnReader reader(text);
    const std::optional<PdnGame> read = reader.next();
    REQUIRE(read);
    CHECK(read->problem == "");
    CHECK(read->tag("FEN") == "W:W22,27:B1,18");
    CHECK(read->result == "*");
    REQUIRE(read->moves.size() == 2);
    CHECK(read->moves[0].text == "22x15");
    CHECK(read->moves[1].text == "1-6");
}

TEST_CASE("a file that is no engine cannot be loaded", "[cb][gui]") {
    std::string problem;
    CHECK_FALSE(EngineDll(copies_folder() + "missing.dll", problem));
    CHECK(!problem.empty());
}
