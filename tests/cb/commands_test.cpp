#include <catch2/catch.hpp>

#include <defiance/base/text.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

TEST_CASE("the engine names itself in 30 characters", "[cb]") {
    const std::string name = accepted(engine(), "name");
    CHECK(!name.empty());
    CHECK(name.size() <= 30);
    CHECK(name.find_first_of("\"'{}\n%") == std::string::npos);
    CHECK(contains(name, "Defiance"));
    CHECK(contains(name, "English"));
}

TEST_CASE("about tells the name and the settings", "[cb]") {
    const std::string text = accepted(engine(), "about");
    CHECK(contains(text, accepted(engine(), "name")));
    CHECK(contains(text, "8 MB"));
    CHECK(text.size() < 1024);
}

TEST_CASE("the engine tells what it is", "[cb]") {
    CHECK(accepted(engine(), "get protocolversion") == "2");
    CHECK(accepted(engine(), "get gametype") == "21");
    CHECK(accepted(engine(), "set gametype 21") == "gametype 21");
    CHECK(parse_integer(accepted(engine(), "get cpus"), 1, 4096).has_value());
}

TEST_CASE("commands not known are answered with a question mark", "[cb]") {
    for (const char* command : {"",
                                " ",
                                "get",
                                "set",
                                "exit",
                                "quit",
                                "Name",
                                "name x",
                                "help me",
                                "about\t1",
                                "nam",
                                "get name",
                                "set name x",
                                "get hashsize 8",
                                "get gametype 21",
                                "set gametype 22",
                                "set gametype",
                                "set gametype 21 21",
                                "set cpus 4",
                                "set protocolversion 3",
                                "get nothing",
                                "set nothing 1",
                                "get gamehist",
                                "get staticevaluation",
                                "set movelist",
                                "getmovelist",
                                "\x01\xFF",
                                "%s%n",
                                "get get"}) {
        INFO(command);
        const EngineReply reply = engine().command(command);
        CHECK(reply.code == 0);
        CHECK(reply.text == "?");
        CHECK(reply.fault == "");
    }
    CHECK(engine().command(std::string(100000, 'x')).text == "?");
}

TEST_CASE("words may be separated by any white space", "[cb]") {
    CHECK(accepted(engine(), "  get \t gametype \r\n") == "21");
    CHECK(accepted(engine(), "name ") == accepted(engine(), "name"));
}

TEST_CASE("staticevaluation explains a position and refuses what is none", "[cb]") {
    const std::string text = accepted(engine(), "staticevaluation W:W27,28,K32:B1,2");
    CHECK(contains(text, "value="));
    CHECK(text.size() < 1024);
    CHECK(contains(text, "white"));
    for (const char* fen : {"", "x", "W:W1", "W:W33:B1", "W:W27:B27", "W:W27:B1:x"})
        CHECK(contains(refused(engine(), "staticevaluation " + std::string(fen)),
                       "staticevaluation"));
    // CheckerBoard shows no refusals.
    for (const auto& [fen, reason] :
         {std::pair<std::string, std::string>{"W:W1:B5", "a man on its crowning row"},
          {"W:W27:B", "no black piece"},
          {"B:W:B1", "no white piece"},
          {"B:W20-32:B1", "more than 12 white pieces"}})
        CHECK(contains(accepted(engine(), "staticevaluation " + fen), reason));
}

namespace {

/// The move that a hint names, if it is a legal one of the position.
bool names_legal_move(const Position& position, std::string_view hint) {
    while (!hint.empty()) {
        std::string_view word = take_word(hint);
        while (!word.empty() && !is_digit(word.back()))
            word.remove_suffix(1);
        if (parse_move(rules_of<English>, position, word)) return true;
    }
    return false;
}

/// The position that the call has played into.
Position position_after(const Call& call) {
    const Result<Position> position =
        read_board(call.board.squares, cb_white + cb_black - call.color);
    REQUIRE(position);
    return *position;
}

void check_hint(const EngineDll& dll, const Position& position) {
    const std::string hint = accepted(dll, "hint");
    INFO(hint);
    CHECK(!hint.empty());
    CHECK(hint.size() < 250);
    CHECK(hint.find_first_of("\"\n") == std::string::npos);
    CHECK(contains(hint, position.side == Side::black ? "Black" : "White"));
    CHECK(names_legal_move(position, hint));
}

}  // namespace

TEST_CASE("hint is about the position on the board, at first about the start", "[cb]") {
    const EngineDll dll = load(engine_copy("hint"));
    check_hint(dll, start_position(Side::black));
    const Position other = position_of("W:WK18,27:B3,K7");
    static_cast<void>(accepted(dll, "set gamehist W:WK18,27:B3,K7"));
    check_hint(dll, other);
    static_cast<void>(accepted(dll, "set gamehist W:WK18,27:B3,K7 18-22 7-10"));
    check_hint(dll, position_of("W:WK22,27:B3,K10"));
    Call call(position_of("B:W32,31:B12,9"));
    call.run(dll, 0.001);
    check_hint(dll, position_after(call));
    // It is about what getmove is asked next, until it has answered.
    static_cast<void>(accepted(dll, "set gamehist W:WK18,27:B3,K7"));
    check_hint(dll, other);
    // In analysis nothing is played.
    const Restored restored(dll, "analysis");
    static_cast<void>(accepted(dll, "set analysis 1"));
    Call studied(call.position);
    studied.run(dll, 0.001);
    check_hint(dll, studied.position);
}

TEST_CASE("hint knows the history that the last move was played with", "[cb]") {
    const EngineDll dll = load(engine_copy("hint"));
    // White loses where the draw law leaves the time for it.
    const std::string start = "B:WK32:BK1,K2";
    std::string history = "set gamehist " + start;
    for (int i = 0; i < 19; ++i)
        history += " 1-5 32-28 5-1 28-32";
    const auto hint_after_move = [&] {
        Call call(position_of(start));
        call.run(dll, patience);
        return accepted(dll, "hint");
    };
    CHECK(contains(hint_after_move(), "You are losing"));
    static_cast<void>(accepted(dll, history));
    CHECK(contains(hint_after_move(), "The game is even"));
}

TEST_CASE("hint says why a position cannot be played", "[cb]") {
    const EngineDll dll = load(engine_copy("hint"));
    const Position good = position_of("B:W32,31:B12,9");
    CbBoard bad = to_cb_board(good);
    bad.squares[1][7] = cb_black | cb_man;
    Call call(good);
    call.board = bad;
    CHECK(call.run(dll, 0.001) == cb_unknown);
    CHECK(contains(call.status.text(), "a man on its crowning row"));
    CHECK(contains(accepted(dll, "hint"), "cannot be played: a man on its crowning row"));
    // CheckerBoard asks for the moves first, and does not call getmove when it hears of none.
    static_cast<void>(dll.command("get movelist B:W1:B"));
    CHECK(accepted(dll, "get movelist B:W20-32:B1") == "movelist 0");
    CHECK(contains(accepted(dll, "hint"), "cannot be played: more than 12 white pieces"));
    CHECK(accepted(dll, "get movelist B:W1:B") == "movelist 0");
    CHECK(contains(accepted(dll, "hint"), "more than 12 white pieces"));
    static_cast<void>(accepted(dll, "get movelist B:W32,31:B12,9"));
    CHECK_FALSE(contains(accepted(dll, "hint"), "cannot be played"));
    // So does a game that leads to a good position.
    CHECK(accepted(dll, "get movelist B:W20-32:B1") == "movelist 0");
    CHECK(contains(accepted(dll, "hint"), "cannot be played"));
    static_cast<void>(accepted(dll, "set gamehist B:W32,31:B12,9"));
    check_hint(dll, good);
    // A game that cannot be followed leads to no position that is known.
    static_cast<void>(refused(dll, "set gamehist B:W32,31:B12,9 9-13 31-30"));
    CHECK(contains(accepted(dll, "hint"), "cannot be played"));
    CHECK(contains(refused(dll, "bookmove 9-13"), "bookmove: "));
    CHECK(accepted(dll, "get hints") == "none");
    static_cast<void>(accepted(dll, "set gamehist B:W32,31:B12,9"));
    check_hint(dll, good);
}

TEST_CASE("hint knows a game that is over and a move that is forced", "[cb]") {
    const EngineDll dll = load(engine_copy("hint"));
    static_cast<void>(accepted(dll, "set gamehist B:W16:B12,K11 11x20"));
    CHECK(contains(accepted(dll, "hint"), "lost"));
    static_cast<void>(accepted(dll, "set gamehist B:W32:B12"));
    CHECK(contains(accepted(dll, "hint"), "only one move: 12-16"));
    static_cast<void>(accepted(dll, "set gamehist B:W14,32:B9"));
    CHECK(contains(accepted(dll, "hint"), "must jump: 9x18"));
}
