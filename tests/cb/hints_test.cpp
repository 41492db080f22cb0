#include <catch2/catch.hpp>

#include <array>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

constexpr const char* start_fen =
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
/// A move that the engine does not play of itself.
constexpr const char* poor_move = "12-16";

/// A copy of the engine that searches little and always the same.
EngineDll shallow_engine() {
    EngineDll dll = load(engine_copy("hinted"));
    static_cast<void>(accepted(dll, "set hashsize 2"));
    static_cast<void>(accepted(dll, "set depth 9"));
    static_cast<void>(accepted(dll, "set hintpolicy verify"));
    static_cast<void>(accepted(dll, std::string("set gamehist ") + start_fen));
    // The file stays loaded when a test ends, with what it was told.
    static_cast<void>(accepted(dll, "hint clear"));
    return dll;
}

bool has_played(const Call& call, std::string_view text) {
    const Result<Move> move = parse_move(rules_of<English>, call.position, text);
    REQUIRE(move);
    return call.board == to_cb_board(rules_of<English>.after(call.position, *move));
}

/// True when the engine plays the move in the position.
bool plays(const EngineDll& dll, const char* fen, std::string_view move) {
    Call call(position_of(fen));
    call.run(dll, 60);
    return has_played(call, move);
}

}  // namespace

TEST_CASE("hints are accepted with and without set, and shown", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    CHECK(accepted(dll, "get hints") == "none");
    CHECK(accepted(dll, "bookmove 11-15") == "bookmove 11-15 accepted");
    CHECK(accepted(dll, "set egtbmove 9-14") == "egtbmove 9-14 accepted");
    CHECK(accepted(dll, "searchmoves 11-15 9-14") == "searchmoves 11-15 9-14 accepted");
    CHECK(accepted(dll, "hint score -12 depth 20 pv 11-15 23-19") ==
          "hint score -12 depth 20 pv 11-15 23-19 accepted");
    CHECK(accepted(dll, "get hints") ==
          std::string("fen ") + start_fen +
              "; bookmove 11-15; egtbmove 9-14; hint score -12 depth 20 pv 11-15 23-19; "
              "searchmoves 11-15 9-14");
    CHECK(accepted(dll, "hint clear") == "hint clear");
    CHECK(accepted(dll, "get hints") == "none");
    CHECK(accepted(dll, "set hint score 12 depth 20 pv 11-15") ==
          "hint score 12 depth 20 pv 11-15 accepted");
    // As the status line writes it.
    CHECK(accepted(dll, "hint score +12 depth 20 pv 11-15") ==
          "hint score 12 depth 20 pv 11-15 accepted");
    CHECK(accepted(dll, "hint score +0 depth 20 pv 11-15") ==
          "hint score 0 depth 20 pv 11-15 accepted");
    // In a capture only the squares that tell it from others must be named.
    CHECK(accepted(dll, "bookmove 9-25 fen B:W14,K22:B9,1") == "bookmove 9x18x25 accepted");
}

TEST_CASE("hints are about the position heard of last, or that of a fen", "[cb][hints]") {
    const EngineDll dll = load(engine_copy("hinted_first"));
    CHECK(accepted(dll, "bookmove 11-15") == "bookmove 11-15 accepted");  // the start
    static_cast<void>(accepted(dll, "set gamehist W:WK18,27:B3,K7 18-22 7-10"));
    CHECK(accepted(dll, "bookmove 22-17") == "bookmove 22-17 accepted");
    CHECK(refused(dll, "bookmove 11-15") == "illegal move");
    CHECK(accepted(dll, std::string("bookmove 11-15 fen ") + start_fen) ==
          "bookmove 11-15 accepted");
    Call call(position_of("B:W32,31:B12,9"));
    call.run(dll, 0.001);
    CHECK(accepted(dll, "get hints") == "none");
    CHECK(accepted(dll, "bookmove 9-14") == "bookmove 9-14 accepted");
}

TEST_CASE("hints that are illegal or cannot be read change nothing", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    for (const char* command :
         {"bookmove", "bookmove 11-16-20", "bookmove 21-17", "bookmove x", "bookmove 11-15 12-16",
          "egtbmove 0-0", "egtbmove 99999999999999999999-15", "set bookmove", "set egtbmove -",
          "searchmoves 11-15 1-5", "searchmoves \x01\xFF", "hint score 1 depth 2 pv 23-19 11-15",
          "hint score 1 depth 2 pv %s%n"}) {
        INFO(command);
        CHECK(refused(dll, command) == "illegal move");
        CHECK(accepted(dll, "get hints") == "none");
    }
    for (const char* command : {"hint x",
                                "hint score",
                                "hint score 1 depth 2",
                                "hint score 1 depth 2 pv",
                                "hint score x depth 2 pv 11-15",
                                "hint score 1 depth -2 pv 11-15",
                                "hint score + depth 2 pv 11-15",
                                "hint score ++1 depth 2 pv 11-15",
                                "hint score +-1 depth 2 pv 11-15",
                                "hint score 1 depth +2 pv 11-15",
                                "hint score 1.5 depth 2 pv 11-15",
                                "hint score 99999999999999999999 depth 2 pv 11-15",
                                "hint depth 2 score 1 pv 11-15",
                                "hint clear all",
                                "set hint",
                                "bookmove 11-15 fen",
                                "bookmove 11-15 fen x",
                                "bookmove 11-15 fen B:W1:B",
                                "searchmoves fen W:W1:B5",
                                "hint score 1 depth 2 pv 11-15 fen B:W21-32:B33"}) {
        INFO(command);
        const std::string text = refused(dll, command);
        CHECK(!text.empty());
        CHECK(text.size() < 250);
        CHECK(accepted(dll, "get hints") == "none");
    }
}

TEST_CASE("a hint that fits several captures is told so", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    const std::string fen = " fen B:W6,7,14,15,30,31,32:B2,1,5";
    const std::string fault = ": '2x18' fits more than one capture";
    CHECK(refused(dll, "bookmove 2x18" + fen) == "bookmove" + fault);
    CHECK(refused(dll, "set egtbmove 2x18" + fen) == "egtbmove" + fault);
    CHECK(refused(dll, "searchmoves 2x9x18 2x18" + fen) == "searchmoves" + fault);
    CHECK(refused(dll, "hint score 1 depth 2 pv 2x18" + fen) == "hint" + fault);
    CHECK(accepted(dll, "get hints") == "none");
    CHECK(accepted(dll, "bookmove 2x9x18" + fen) == "bookmove 2x9x18 accepted");
    CHECK(accepted(dll, "bookmove 2x11x18" + fen) == "bookmove 2x11x18 accepted");
    CHECK(refused(dll, "bookmove 2x10x18" + fen) == "illegal move");
}

TEST_CASE("after the capture of the last piece there is nothing to hint", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set gamehist B:W18:B15 15-22"));
    for (const char* hint : {"bookmove 22-26", "egtbmove 22-26", "searchmoves", "searchmoves 22-26",
                             "hint score 1 depth 2 pv 22-26"})
        CHECK(refused(dll, hint).ends_with(": no white piece on the board"));
    CHECK(accepted(dll, "get hints") == "none");
}

TEST_CASE("a hint of 255 characters is read and one of 256 is refused", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    std::string command = "searchmoves";
    while (command.size() + 6 <= 255)
        command += " 11-15";
    command.insert(11, 255 - command.size(), ' ');
    REQUIRE(command.size() == 255);
    CHECK(accepted(dll, command) != "");
    CHECK(accepted(dll, "hint clear") != "");
    for (const char* begin :
         {"searchmoves 11-15", "bookmove 11-15", "hint score 1 depth 1 pv 11-15"})
        for (const std::size_t more : {256U, 100000U}) {
            std::string text = begin;
            while (text.size() < more)
                text += " 11-15";
            CHECK(contains(refused(dll, text), "255 characters"));
        }
    CHECK(accepted(dll, "get hints") == "none");
}

TEST_CASE("a hint is used for the next move in its position only", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set hintpolicy trust"));
    const std::string command = std::string("bookmove ") + poor_move + " fen " + start_fen;
    static_cast<void>(accepted(dll, command));
    CHECK(plays(dll, start_fen, poor_move));
    CHECK(accepted(dll, "get hints") == "none");
    CHECK_FALSE(plays(dll, start_fen, poor_move));
    static_cast<void>(accepted(dll, command));
    static_cast<void>(plays(dll, "B:W32,31:B12,9", "9-14"));
    CHECK(accepted(dll, "get hints") == "none");
    CHECK_FALSE(plays(dll, start_fen, poor_move));
}

TEST_CASE("trust plays a hinted move at once and says so", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set hintpolicy trust"));
    for (const std::string verb : {"bookmove", "egtbmove"}) {
        static_cast<void>(accepted(dll, verb + ' ' + poor_move));
        Call call(position_of(start_fen));
        CHECK(call.run(dll, 3600, exact_bit) == cb_unknown);
        CHECK(has_played(call, poor_move));
        CHECK(begins_with(call.status.text(),
                          verb == "bookmove" ? "book hint  value=?" : "endgame hint  value=?"));
    }
}

TEST_CASE("verify plays what is as good and refutes a blunder", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    // 23-27 gives the only king away, 23-26 gets it shut in.
    constexpr const char* fen = "W:WK23:BK32";
    for (const char* databases : {"set enable_wld 1", "set enable_wld 0"}) {
        static_cast<void>(accepted(dll, databases));
        for (const char* move : {"23-26", "23-27"}) {
            static_cast<void>(accepted(dll, std::string("bookmove ") + move + " fen " + fen));
            CHECK_FALSE(plays(dll, fen, move));
        }
        for (const char* move : {"23-18", "23-19"}) {
            INFO(move);
            static_cast<void>(accepted(dll, std::string("bookmove ") + move + " fen " + fen));
            Call call(position_of(fen));
            call.run(dll, 60);
            CHECK(has_played(call, move));
            CHECK(begins_with(call.status.text(), "book hint  value="));
        }
    }
    static_cast<void>(accepted(dll, "set enable_wld 1"));
}

TEST_CASE("an endgame database refutes even a trusted move", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set hintpolicy trust"));
    constexpr const char* fen = "W:WK23:BK32";
    const std::string command = std::string("egtbmove 23-27 fen ") + fen;
    static_cast<void>(accepted(dll, command));
    CHECK_FALSE(plays(dll, fen, "23-27"));
    static_cast<void>(accepted(dll, "set enable_wld 0"));
    static_cast<void>(accepted(dll, command));
    CHECK(plays(dll, fen, "23-27"));
    static_cast<void>(accepted(dll, "set enable_wld 1"));
}

TEST_CASE("ignore does not look at hinted moves", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set hintpolicy ignore"));
    static_cast<void>(accepted(dll, std::string("bookmove ") + poor_move));
    CHECK_FALSE(plays(dll, start_fen, poor_move));
}

TEST_CASE("in analysis hinted moves are not played", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set hintpolicy trust"));
    const std::string command = std::string("bookmove ") + poor_move + " fen " + start_fen;
    for (const std::string option : {"allscores", "analysis"}) {
        static_cast<void>(accepted(dll, command));
        static_cast<void>(accepted(dll, "set " + option + " 1"));
        CHECK(accepted(dll, "get " + option) == "1");
        CHECK_FALSE(plays(dll, start_fen, poor_move));
        static_cast<void>(accepted(dll, "set " + option + " 0"));
    }
    static_cast<void>(accepted(dll, command));
    Call call(position_of(start_fen));
    CallBeside beside(call, dll, until_told);
    beside.wait_until_searching();
    CHECK_FALSE(beside.has_returned());
    beside.interrupt();
    CHECK(beside.join() == cb_unknown);
    CHECK_FALSE(has_played(call, poor_move));
    CHECK(refused(dll, "set analysis 2") == "analysis takes 0 or 1");
}

TEST_CASE("hints are taken while the engine thinks", "[cb][hints][threads]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set depth 0"));
    static_cast<void>(accepted(dll, "set hintpolicy trust"));
    Call call(position_of(start_fen));
    CallBeside beside(call, dll, 3600, exact_bit);
    beside.wait_until_searching();
    CHECK(refused(dll, "bookmove 21-17") == "illegal move");
    static_cast<void>(accepted(dll, "hint score 5 depth 30 pv 11-15 23-19 8-11"));
    CHECK_FALSE(beside.has_returned());
    static_cast<void>(accepted(dll, std::string("bookmove ") + poor_move));
    // Nobody interrupts: the hint ends the search.
    CHECK(beside.join() == cb_unknown);
    CHECK(has_played(call, poor_move));
    CHECK(begins_with(call.status.text(), "book hint"));
    CHECK(accepted(dll, "get hints") == "none");
}

TEST_CASE("hints of all kinds may come at any moment", "[cb][hints][threads]") {
    const EngineDll dll = shallow_engine();
    static_cast<void>(accepted(dll, "set depth 0"));
    constexpr std::array<const char*, 8> commands = {"bookmove 11-15",
                                                     "hint score 12 depth 20 pv 11-15 23-19 8-11",
                                                     "searchmoves 11-15 9-14",
                                                     "get hints",
                                                     "egtbmove 9-14",
                                                     "set hintpolicy verify",
                                                     "searchmoves",
                                                     "hint clear"};
    std::atomic<bool> is_over{false};
    std::thread commander([&] {
        for (std::size_t i = 0; !is_over.load(); ++i)
            static_cast<void>(dll.command(commands[i % commands.size()]));
    });
    for (int i = 0; i < 20; ++i) {
        Call call(position_of(start_fen));
        CHECK(call.run(dll, 0.01) == cb_unknown);
        CHECK(call.has_moved_legally());
    }
    is_over.store(true);
    commander.join();
}

TEST_CASE("a line is cut at its first illegal move", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    CHECK(accepted(dll, "hint score 12 depth 20 pv 11-15 23-19 8-11 8-11 22-17") ==
          "hint score 12 depth 20 pv 11-15 23-19 8-11 accepted");
    Call call(position_of(start_fen));
    CHECK(call.run(dll, 60) == cb_unknown);
    CHECK(call.has_moved_legally());
    CHECK_FALSE(contains(call.status.text(), "hint"));
}

TEST_CASE("searchmoves leaves the moves it names", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    const auto only = [&](const std::string& moves) {
        return accepted(dll, "searchmoves" + moves + " fen " + start_fen);
    };
    CHECK(only(std::string(" ") + poor_move) == "searchmoves 12-16 accepted");
    CHECK(plays(dll, start_fen, poor_move));
    CHECK_FALSE(plays(dll, start_fen, poor_move));
    static_cast<void>(only(" 9-13 12-16"));
    Call call(position_of(start_fen));
    call.run(dll, 60);
    CHECK((has_played(call, "9-13") || has_played(call, "12-16")));
    static_cast<void>(only(" 12-16"));
    CHECK(only("") == "searchmoves accepted");
    CHECK_FALSE(plays(dll, start_fen, poor_move));
}

TEST_CASE("the word hint alone is a beginner's question, whatever is hinted", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    const std::string advice = accepted(dll, "hint");
    static_cast<void>(accepted(dll, std::string("bookmove ") + poor_move));
    static_cast<void>(accepted(dll, "hint score 12 depth 20 pv 9-13"));
    static_cast<void>(accepted(dll, "searchmoves 9-13"));
    CHECK(begins_with(advice, "Try "));
    CHECK(begins_with(accepted(dll, "hint"), advice.substr(0, 9)));
    CHECK(contains(accepted(dll, "get hints"), "bookmove 12-16"));  // it has used nothing up
}

TEST_CASE("hintpolicy has three values", "[cb][hints]") {
    const EngineDll dll = shallow_engine();
    CHECK(accepted(dll, "get hintpolicy") == "verify");
    for (const std::string value : {"trust", "ignore", "verify"}) {
        CHECK(accepted(dll, "set hintpolicy " + value) == "hintpolicy " + value);
        CHECK(accepted(dll, "get hintpolicy") == value);
    }
    for (const std::string value : {"", "0", "Trust", "trust verify", "verif"})
        CHECK(contains(refused(dll, "set hintpolicy " + value), "trust, verify or ignore"));
    CHECK(accepted(dll, "get hintpolicy") == "verify");
}
