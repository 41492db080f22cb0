// What the engines of all six games have in common at the border, and what sets each apart.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/numbering.hpp>
#include <tools/support/reported_move.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// The engine of a game, a copy of its file as for the English one.
template <class Rules>
const EngineDll& engine_of() {
    static const EngineDll shared = load(game_engine_copy(Rules::file_word));
    return shared;
}

template <class Rules>
Position position_in(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<Rules>, fen);
    REQUIRE(position);
    return *position;
}

template <class Rules>
int moves_listed(std::string_view fen) {
    const std::string list = accepted(engine_of<Rules>(), "get movelist " + std::string(fen));
    return static_cast<int>(std::count(list.begin(), list.end(), ';'));
}

template <class Rules>
int square_of(coor c) {
    return Numbering<Rules>::number(index_of({c.x, c.y}));
}

std::string help_page_of(const EngineDll& dll) {
    std::ifstream file(accepted(dll, "help"), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEMPLATE_TEST_CASE("each engine says which game it plays", "[cb][games]", English, Italian, Spanish,
                   Russian, Brazilian, Czech) {
    const EngineDll& dll = engine_of<TestType>();
    const std::string name(TestType::name);
    CHECK(accepted(dll, "get gametype") == std::to_string(TestType::game_type));
    const std::string own_name = accepted(dll, "name");
    CHECK(contains(own_name, name));
    CHECK(own_name.size() <= 30);
    CHECK(contains(accepted(dll, "about"), name + " draughts (game type "));
    const std::string page = help_page_of(dll);
    CHECK(contains(page, "<h2>" + name + " draughts in a few lines</h2>\n<ul>"));
    CHECK(contains(page, "</html>"));
    CHECK_FALSE(contains(page, "@"));
    CHECK(accepted(dll, "hint").size() < 250);
}

TEMPLATE_TEST_CASE("each engine takes histories in its own numbering", "[cb][games]", Italian,
                   Spanish, Russian, Brazilian, Czech) {
    const EngineDll& dll = engine_of<TestType>();
    CbGame game(rules_of<TestType>);
    static_cast<void>(accepted(dll, game.history_command()));
    // Kings going to and fro, which is the only history with moves.
    Position kings;
    kings.black = bit(index_of({0, 0}));
    kings.white = bit(index_of({7, 7}));
    kings.kings = kings.black | kings.white;
    CbGame shuffle(rules_of<TestType>, kings);
    const auto step = [&](Coordinate from, Coordinate to) {
        shuffle.play({0, static_cast<std::uint8_t>(index_of(from)),
                      static_cast<std::uint8_t>(index_of(to)), false});
    };
    step({0, 0}, {1, 1});
    // Black's king can be taken in games where kings fly.
    if (!TestType::flying_kings) step({7, 7}, {6, 6});
    INFO(shuffle.history_command());
    CHECK(accepted(dll, shuffle.history_command()) ==
          "gamehist " + to_fen(rules_of<TestType>, shuffle.position()));
    CHECK(contains(refused(dll, shuffle.history_command() + " 1-32 1-32"), "gamehist"));
}

TEST_CASE("the Italian examples of the API reference come record for record", "[cb][games]") {
    const EngineDll& dll = engine_of<Italian>();
    CHECK(accepted(dll, "get movelist B:W31:B3") == "movelist 2,0,6,6,3,6;0,6,6,3,7;");
    CHECK(accepted(dll, "get movelist B:W11,13,19,21:B6,9") ==
          "movelist 2,2,6,6,9,25,18,13,5,25,21,5;2,6,6,6,22,15,11,5,22,19,5;");
}

TEMPLATE_TEST_CASE("the probe is answered where CheckerBoard can read a list", "[cb][games]",
                   Italian, Spanish, Russian, Brazilian) {
    const EngineDll& dll = engine_of<TestType>();
    CHECK(accepted(dll, "get movelist B:W1:B") == "movelist 0");
    for (const char* nonsense : {"", "x", "B:W40:B1", "W:W"})
        CHECK(accepted(dll, "get movelist " + std::string(nonsense)) == "movelist 0");
}

TEST_CASE("Czech answers no list, because CheckerBoard would read other squares", "[cb][games]") {
    const EngineDll& dll = engine_of<Czech>();
    for (const char* fen : {"B:W1:B", "W:W1-12:B21-32", "W:WK5:B30"})
        CHECK(refused(dll, "get movelist " + std::string(fen)) == "?");
}

TEST_CASE("lists too long for CheckerBoard are cut to what looks best", "[cb][games]") {
    // Five kings have 34 moves, some of which give one away.
    const std::string_view fen = "W:WK14,K16,K23,K25,K31:B5,12";
    const Position position = position_in<Russian>(fen);
    CHECK(count_moves<Russian>(position) > 28);
    CHECK(moves_listed<Russian>(fen) == 28);
    CHECK(moves_listed<Brazilian>(fen) == 28);
    const std::string list = accepted(engine_of<Russian>(), "get movelist " + std::string(fen));
    CHECK(list == accepted(engine_of<Russian>(), "get movelist " + std::string(fen)));
    // The best move found without a limit is one that was reported.
    Call call(position);
    call.run(engine_of<Russian>(), 0.05);
    const std::string record = "0,9,9," + std::to_string(square_of<Russian>(call.move.from)) + ',' +
                               std::to_string(square_of<Russian>(call.move.to)) + ';';
    CHECK(contains(list, record));
}

TEMPLATE_TEST_CASE("a board that is none leaves the GUI a move that does nothing", "[cb][games]",
                   English, Spanish, Czech) {
    CbBoard board = to_cb_board(start_position(Side::white));
    board.squares[0][0] = 77;
    CBmove move{};
    move.newpiece = -1;
    CHECK(engine_of<TestType>().is_legal(board, cb_white, 9, 13, &move) == 0);
    CHECK(carry_out(board, from_description(move)) == board);
    CbBoard copy = board;
    move.newpiece = -1;
    CHECK(engine_of<TestType>().get_move(copy, cb_white, {0.01, 0, 0, nullptr, nullptr, &move}) ==
          cb_unknown);
    CHECK(carry_out(board, from_description(move)) == board);
    CHECK(copy == board);
}

// CheckerBoard takes an English opening, turns its squares round by 33 - n and carries out what
// islegal describes, whatever it answers.
TEMPLATE_TEST_CASE("three-move openings with wrong squares do no harm", "[cb][games]", Spanish,
                   Czech) {
    const EngineDll& dll = engine_of<TestType>();
    const CbBoard board = to_cb_board(start_position(Side::white));
    CBmove move{};
    CHECK(dll.is_legal(board, cb_white, 24, 20, &move) == 0);
    CHECK(square_of<TestType>(move.from) == 9);
    CHECK(square_of<TestType>(move.to) == 13);
    int openings = 0;
    const auto play = [&](auto self, const Position& english, const Position& ours,
                          int plies_left) -> void {
        if (plies_left == 0) {
            ++openings;
            return;
        }
        for (const Move& m : legal_moves(english)) {
            if (m.is_capture()) continue;
            const CbBoard before = to_cb_board(ours);
            CBmove described{};
            const int answer =
                dll.is_legal(before, color_to_move(ours), 33 - Numbering<English>::number(m.from),
                             33 - Numbering<English>::number(m.to), &described);
            CbGame game(rules_of<TestType>, ours);
            if (answer != 0 || !game.play_board(carry_out(before, from_description(described))))
                FAIL(cb_fen(rules_of<TestType>, ours) << " does not go on with a legal move");
            self(self, after<English>(english, m), game.position(), plies_left - 1);
        }
    };
    play(play, start_position(Side::black), start_position(Side::white), 3);
    CHECK(openings > 250);
}
