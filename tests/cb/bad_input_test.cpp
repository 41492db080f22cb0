#include <catch2/catch.hpp>

#include <algorithm>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// How long it takes to refuse a board, at most; only the least of some measurements tells of the
/// engine, the others of what else the computer does.
constexpr double most_seconds = 0.05;

double least_time_of(const Call& refused) {
    double least = refused.seconds_used;
    for (int i = 0; i < 5 && least >= most_seconds; ++i) {
        Call again(start_position(Side::black));
        again.board = refused.board;
        again.color = refused.color;
        again.run(engine(), 0.05);
        least = std::min(least, again.seconds_used);
    }
    return least;
}

/// The engine must refuse this board and leave it alone.
void check_refused(const CbBoard& board, int color) {
    Call call(start_position(Side::black));
    call.board = board;
    call.color = color;
    CHECK(call.run(engine(), 0.05) == cb_unknown);
    CHECK(call.board == board);
    CHECK(call.status.text().size() > 10);
    CHECK(least_time_of(call) < most_seconds);
    const CbBoard copy = board;
    CHECK(engine().is_legal(copy, color, 11, 15, nullptr) == 0);
}

}  // namespace

TEST_CASE("piece codes that do not exist are refused", "[cb]") {
    for (const int code : {1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15, 16, 21, 22, -1, 256, 1 << 30}) {
        INFO(code);
        CbBoard board = start_board();
        board.squares[0][4] = code;
        check_refused(board, cb_black);
    }
}

TEST_CASE("a piece on a square that is not played on is refused", "[cb]") {
    for (const int code : {5, 6, 9, 10, 16}) {
        CbBoard board = start_board();
        board.squares[1][4] = code;
        check_refused(board, cb_white);
    }
}

TEST_CASE("a man on its crowning row is refused", "[cb]") {
    CbBoard black = start_board();
    black.squares[1][7] = cb_black | cb_man;
    check_refused(black, cb_black);
    CbBoard white = start_board();
    white.squares[0][0] = cb_white | cb_man;
    check_refused(white, cb_black);
}

TEST_CASE("thirteen pieces of a colour or an empty board are refused", "[cb]") {
    CbBoard many = start_board();
    many.squares[1][3] = cb_black | cb_man;
    check_refused(many, cb_black);
    many.squares[1][3] = cb_white | cb_king;
    check_refused(many, cb_black);
    for (const int color : {cb_black, cb_white})
        check_refused(CbBoard{}, color);
}

TEST_CASE("who has no pieces left has lost, whoever is to move", "[cb]") {
    for (const Side alone : {Side::black, Side::white}) {
        Position p = start_position(alone);
        (alone == Side::black ? p.white : p.black) = 0;
        Call winner(p);
        CHECK(winner.run(engine(), until_told) == cb_win);
        CHECK(winner.has_moved_legally());
        CHECK(contains(winner.status.text(), "value=won"));
        CHECK(contains(accepted(engine(), "hint"), "cannot be played"));
        p.side = opponent(alone);
        Call loser(p);
        const CbBoard before = loser.board;
        CHECK(loser.run(engine(), until_told) == cb_loss);
        CHECK(loser.board == before);
        CHECK(!loser.status.text().empty());
    }
    const Restored restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 0"));
    Call call(position_of("W:W18:B"));
    CHECK(call.run(engine(), 0.01) == cb_unknown);
    CHECK(call.has_moved_legally());
}

TEST_CASE("colours that do not exist are refused", "[cb]") {
    for (const int color : {0, 3, -1, 4, 255, 1 << 30})
        check_refused(start_board(), color);
}

TEST_CASE("who has no legal move has lost and the board stays as it is", "[cb]") {
    for (const char* fen : {"B:W16,19:B12", "W:W13:B9,K6"}) {
        Call call(position_of(fen));
        REQUIRE(legal_moves(call.position).empty());
        const CbBoard before = call.board;
        CHECK(call.run(engine(), until_told) == cb_loss);
        CHECK(call.board == before);
        CHECK(!call.status.text().empty());
    }
}

TEST_CASE("after all this the engine still plays", "[cb]") {
    Call call(start_position(Side::black));
    CHECK(call.run(engine(), 0.01, new_game_bit) == cb_unknown);
    CHECK(call.has_moved_legally());
}

TEST_CASE("unknown bits in info and moreinfo do no harm", "[cb]") {
    for (const int info : {-1, 1 << 30, 0x7FFFFFF0, 16, 32}) {
        Call call(start_position(Side::black));
        call.run(engine(), 0.01, info, -1 & 0x00050001);
        CHECK(call.has_moved_legally());
    }
}
