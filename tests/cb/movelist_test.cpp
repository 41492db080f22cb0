#include <catch2/catch.hpp>

#include <algorithm>

#include <defiance/rules/board.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

std::string list_of(std::string_view fen) {
    return accepted(engine(), "get movelist " + std::string(fen));
}

/// A position without captures in which black has more moves than CheckerBoard has room for.
Position crowded_position() {
    Random random(7);
    for (;;) {
        Position p = random_position(random, 12, 1);
        p.kings |= p.black;
        p.side = Side::black;
        const std::vector<Move> moves = legal_moves(p);
        if (moves.size() > 28 && !moves[0].is_capture()) return p;
    }
}

}  // namespace

TEST_CASE("the probe of CheckerBoard is answered with an empty list", "[cb]") {
    CHECK(list_of("B:W1:B") == "movelist 0");
    CHECK(list_of("W:W:B1") == "movelist 0");
}

TEST_CASE("movelist lists the moves of a side that has nobody to play against", "[cb]") {
    CHECK(list_of("W:W18:B") == "movelist 2,0,5,5,18,15;0,5,5,18,14;");
    CHECK(begins_with(list_of("B:W:B1,K2"), "movelist 4,"));
    // All kings have more moves than there is room for.
    const std::string list = list_of("B:W:BK1,K4,K8,K10,K11,K13,K18,K19,K20,K22,K27,K30");
    CHECK(begins_with(list, "movelist 28,"));
    CHECK(list_of("B:W:B1-13") == "movelist 0");
    CHECK(list_of("W:W:B") == "movelist 0");
}

TEST_CASE("a list that is cut has the move that is played when memory runs out", "[cb]") {
    Random random(23);
    for (int found = 0; found < 20;) {
        Position p = random_position(random, 12, 1);
        p.kings |= p.black;
        p.side = Side::black;
        const std::vector<Move> moves = legal_moves(p);
        if (moves.size() <= 28 || moves[0].is_capture()) continue;
        INFO(cb_fen(rules_of<English>, p));
        const auto number = [](int square) {
            return std::to_string(rules_of<English>.number(square));
        };
        CHECK(contains(list_of(cb_fen(rules_of<English>, p)),
                       "0,10,10," + number(moves[0].from) + ',' + number(moves[0].to) + ';'));
        ++found;
    }
}

TEST_CASE("movelist lists the moves of the start", "[cb]") {
    const std::string list = list_of("B:W21-32:B1-12");
    CHECK(begins_with(list, "movelist 7,"));
    CHECK(std::count(list.begin(), list.end(), ';') == 7);
    for (const char* record : {"0,6,6,9,13;", "0,6,6,9,14;", "0,6,6,10,14;", "0,6,6,10,15;",
                               "0,6,6,11,15;", "0,6,6,11,16;", "0,6,6,12,16;"})
        CHECK(contains(list, record));
}

TEST_CASE("movelist describes captures in full", "[cb]") {
    CHECK(list_of("B:W14:B9") == "movelist 1,1,6,6,9,18,18,14,5;");
    CHECK(list_of("B:W14,K22:B9") == "movelist 1,2,6,6,9,25,18,14,5,25,22,9;");
    CHECK(list_of("W:WK18:B14") == "movelist 1,1,9,9,18,9,9,14,6;");
    CHECK(list_of("W:W11:BK7,5") == "movelist 1,1,5,9,11,2,2,7,10;");
}

TEST_CASE("movelist tells both ways of a fork and both ends of a crowning", "[cb]") {
    const std::string fork = list_of("B:W22,23:B18");
    CHECK(begins_with(fork, "movelist 2,"));
    CHECK(contains(fork, "1,6,6,18,25,25,22,5;"));
    CHECK(contains(fork, "1,6,6,18,27,27,23,5;"));
    const std::string crowning = list_of("W:W6:B28");
    CHECK(begins_with(crowning, "movelist 2,"));
    CHECK(contains(crowning, "0,5,9,6,1;"));
    CHECK(contains(crowning, "0,5,9,6,2;"));
}

TEST_CASE("movelist tells no more than CheckerBoard has room for", "[cb]") {
    const Position p = crowded_position();
    const std::string list = list_of(cb_fen(rules_of<English>, p));
    CHECK(begins_with(list, "movelist 28,"));
    CHECK(std::count(list.begin(), list.end(), ';') == 28);
    CHECK(list.size() < 1024);
}

TEST_CASE("movelist fails before it was answered once and never after", "[cb]") {
    const EngineDll dll = load(engine_copy("movelist"));
    for (const char* fen : {"", "x", "B:W1", "W:W21-32,1:B2", "W:W1:B32"})
        static_cast<void>(refused(dll, "get movelist " + std::string(fen)));
    CHECK(accepted(dll, "get movelist B:W1:B") == "movelist 0");
    for (const char* fen : {"", "x", "B:W1", "W:W21-32,1,2:B3", "W:W1:B32", "W:W:B", "B:W40:B1",
                            "W:W21-32:B1-12:x"}) {
        INFO(fen);
        const EngineReply reply = dll.command("get movelist " + std::string(fen));
        CHECK(reply.code == 1);
        CHECK(begins_with(reply.text, "movelist "));
    }
    CHECK(accepted(dll, "get movelist garbage") == "movelist 0");
}

TEST_CASE("movelist has as many moves as there are, in any position", "[cb]") {
    Random random(11);
    for (int i = 0; i < 2000; ++i) {
        const int black = static_cast<int>(1 + random.below(9));
        const Position p = random_position(random, black, static_cast<int>(1 + random.below(9)));
        const std::string list = list_of(cb_fen(rules_of<English>, p));
        INFO(cb_fen(rules_of<English>, p));
        const std::size_t expected = legal_moves(p).size();
        const auto listed = static_cast<std::size_t>(std::count(list.begin(), list.end(), ';'));
        CHECK(list.size() < 1024);
        CHECK(listed == std::min<std::size_t>(expected, 28));
        CHECK(begins_with(list, "movelist " + std::to_string(listed)));
    }
}
