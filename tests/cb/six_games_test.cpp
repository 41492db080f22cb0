// What the engines of all six games have in common at the border, and what sets each apart.

#include <catch2/catch.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <defiance/base/text.hpp>
#include <defiance/rules/board.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/reported_move.hpp>

#include "../every_game.hpp"
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

TEMPLATE_TEST_CASE("each engine says which game it plays", "[cb][games]", DEFIANCE_EVERY_GAME) {
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

TEMPLATE_TEST_CASE("the help page of each engine shows moves of its own game", "[cb][games]",
                   DEFIANCE_EVERY_GAME) {
    const std::string page = help_page_of(engine_of<TestType>());
    const std::size_t begin = page.find("<code>value=+12  pv ");
    REQUIRE(begin != std::string::npos);
    std::string_view line =
        std::string_view(page).substr(begin + sizeof "<code>value=+12  pv " - 1);
    line = line.substr(0, line.find("  "));
    CbGame game(rules_of<TestType>, start_position(TestType::first_side));
    int moves = 0;
    for (; !line.empty(); ++moves) {
        const Result<Move> move = parse_move(rules_of<TestType>, game.position(), take_word(line));
        REQUIRE(move);
        game.play(*move);
    }
    CHECK(moves == 3);
    // The user must know which version to name.
    CHECK(contains(page, "<b>Defiance " + std::string(TestType::name) + ' '));
    CHECK(contains(page, "Please write to the Defiance authors"));
}

TEMPLATE_TEST_CASE("each engine takes histories in its own numbering", "[cb][games]",
                   DEFIANCE_GAMES_BUT_ENGLISH) {
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

TEST_CASE("the Italian examples of the API reference come record for record", "[cb][italian]") {
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

TEST_CASE("Czech answers no list, because CheckerBoard would read other squares", "[cb][czech]") {
    const EngineDll& dll = engine_of<Czech>();
    for (const char* fen : {"B:W1:B", "W:W1-12:B21-32", "W:WK5:B30"})
        CHECK(refused(dll, "get movelist " + std::string(fen)) == "?");
}

TEST_CASE("Brazilian lists too long for CheckerBoard are cut", "[cb][brazilian]") {
    CHECK(moves_listed<Brazilian>("W:WK14,K16,K23,K25,K31:B5,12") == 28);
}

TEST_CASE("lists too long for CheckerBoard are cut to what looks best", "[cb][games]") {
    // Five kings have 34 moves, some of which give one away.
    const std::string_view fen = "W:WK14,K16,K23,K25,K31:B5,12";
    const Position position = position_in<Russian>(fen);
    CHECK(count_moves<Russian>(position) > 28);
    CHECK(moves_listed<Russian>(fen) == 28);
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
    CHECK(move.newpiece == -1);
    const CbBoard copy = board;
    CHECK(engine_of<TestType>().get_move(board, cb_white, {0.01, 0, 0, nullptr, nullptr, &move}) ==
          cb_unknown);
    CHECK(carry_out(board, from_description(move)) == board);
    CHECK(copy == board);
}

namespace {

CBmove untouched_description() {
    CBmove move;
    std::memset(&move, 0x5A, sizeof move);
    return move;
}

bool is_untouched(const CBmove& move) {
    const CBmove untouched = untouched_description();
    return std::memcmp(&move, &untouched, sizeof move) == 0;
}

/// What is wrong with what CheckerBoard's loop over the squares leaves in `move` when the user
/// clicks the square: it asks for all moves from there, or to there, with the same `move`.
template <class Rules>
std::string find_click_fault(const Position& position, int clicked, bool is_from) {
    const CbBoard board = to_cb_board(position);
    MoveList moves;
    generate_moves<Rules>(position, moves);
    CBmove left = untouched_description();
    int answers = 0;
    for (int other = 1; other <= 32; ++other)
        answers +=
            engine_of<Rules>().is_legal(board, color_to_move(position), is_from ? clicked : other,
                                        is_from ? other : clicked, &left);
    if (answers == 0) return is_untouched(left) ? "" : "a move is left where there is none";
    if (is_untouched(left)) return "no move is left";
    CbGame game(rules_of<Rules>, position);
    if (!game.play_board(carry_out(board, from_description(left))))
        return "an illegal move is left";
    return square_of<Rules>(is_from ? left.from : left.to) == clicked ? "" : "another move is left";
}

/// A position of play: the start after some random moves.
template <class Rules>
Position position_of_play(Random& random) {
    Position position = start_position(Rules::first_side);
    for (std::uint32_t plies = random.below(random.below(60) + 1); plies > 0; --plies) {
        MoveList moves;
        generate_moves<Rules>(position, moves);
        if (moves.empty()) break;
        position =
            after<Rules>(position, moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    return position;
}

}  // namespace

TEMPLATE_TEST_CASE("a click on a square plays a move from it or to it, or none", "[cb][games]",
                   DEFIANCE_EVERY_GAME) {
    Random random(31);
    int faults = 0;
    std::string first;
    for (int i = 0; i < 1000; ++i) {
        const Position position =
            i % 2 == 0 ? position_of_play<TestType>(random) : random_position(random, 6, 6);
        for (int square = 1; square <= 32; ++square)
            for (const bool is_from : {true, false}) {
                const std::string fault = find_click_fault<TestType>(position, square, is_from);
                if (fault.empty()) continue;
                if (faults++ == 0)
                    first = cb_fen(rules_of<TestType>, position) + " at " + std::to_string(square) +
                            ": " + fault;
            }
    }
    INFO(first);
    CHECK(faults == 0);
}

namespace {

/// The position after a turn of the board by half a turn, with the colours exchanged.
Position turned_board(const Position& position) {
    const auto turned = [](Bitboard set) {
        Bitboard result = 0;
        for (const int square : Squares(set)) {
            const Coordinate c = coordinate_of(square);
            result |= bit(index_of({7 - c.x, 7 - c.y}));
        }
        return result;
    };
    Position result;
    result.black = turned(position.white);
    result.white = turned(position.black);
    result.kings = turned(position.kings);
    result.side = opponent(position.side);
    return result;
}

}  // namespace

// CheckerBoard takes an English opening, turns its squares round by 33 - n and carries out what
// islegal describes, whatever it answers.
TEMPLATE_TEST_CASE("three-move openings with wrong squares come out as they are meant",
                   "[cb][games]", Spanish, Czech) {
    const EngineDll& dll = engine_of<TestType>();
    int openings = 0;
    // What an earlier call has left, as on CheckerBoard's stack.
    CBmove described{};
    const auto play = [&](auto self, const Position& english, const Position& ours,
                          int plies_left) -> void {
        if (plies_left == 0) {
            ++openings;
            return;
        }
        for (const Move& m : legal_moves(english)) {
            const CbBoard before = to_cb_board(ours);
            const int answer =
                dll.is_legal(before, color_to_move(ours), 33 - Numbering<English>::number(m.from),
                             33 - Numbering<English>::number(m.to), &described);
            const Position next = after<English>(english, m);
            CbGame game(rules_of<TestType>, ours);
            if (answer != 0 || !game.play_board(carry_out(before, from_description(described))) ||
                !(game.position() == turned_board(next)))
                FAIL(cb_fen(rules_of<TestType>, ours)
                     << " does not go on as " << cb_fen(rules_of<English>, next));
            self(self, next, game.position(), plies_left - 1);
        }
    };
    play(play, start_position(Side::black), start_position(Side::white), 3);
    CHECK(openings > 250);
}
