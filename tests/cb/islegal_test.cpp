#include <catch2/catch.hpp>

#include <limits>

#include <defiance/rules/board.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// How many moves of the position go from one square to the other.
int count_between(const Position& p, int from, int to) {
    int count = 0;
    for (const Move& move : legal_moves(p))
        if (Numbering<English>::number(move.from) == from &&
            Numbering<English>::number(move.to) == to)
            ++count;
    return count;
}

coor place_of(int number) {
    const Coordinate c = coordinate_of(Numbering<English>::index(number));
    return {c.x, c.y};
}

}  // namespace

TEST_CASE("islegal knows every pair of squares", "[cb]") {
    std::vector<Position> positions = {
        start_position(Side::black),    start_position(Side::white),
        position_of("B:W14,K22:B9,1"),  position_of("B:W22,23:B18"),
        position_of("W:W6,K18:B28,K1"), position_of("W:WK7:B10,11,18,19,2")};
    Random random(23);
    for (int i = 0; i < 60; ++i)
        positions.push_back(random_position(random, 5, 5));
    int wrong = 0;
    for (const Position& p : positions) {
        const CbBoard board = to_cb_board(p);
        for (int pair = 0; pair < 32 * 32; ++pair) {
            const int from = 1 + pair / 32;
            const int to = 1 + pair % 32;
            CBmove move{};
            const int answer = engine().is_legal(board, color_to_move(p), from, to, &move);
            if (answer != (count_between(p, from, to) > 0 ? 1 : 0)) ++wrong;
            if (answer == 0) continue;
            const coor end = place_of(to);
            if (move.from.x != place_of(from).x || move.to.x != end.x || move.to.y != end.y ||
                board.squares[move.from.x][move.from.y] != move.oldpiece || move.newpiece == 0)
                ++wrong;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("islegal refuses square numbers that do not exist", "[cb]") {
    const CbBoard board = to_cb_board(start_position(Side::black));
    const int most = std::numeric_limits<int>::max();
    const int least = std::numeric_limits<int>::min();
    CBmove move{};
    for (const int number : {0, -1, 33, 64, 256, most, least}) {
        CHECK(engine().is_legal(board, cb_black, number, 15, &move) == 0);
        CHECK(engine().is_legal(board, cb_black, 11, number, &move) == 0);
        CHECK(engine().is_legal(board, cb_black, number, number, nullptr) == 0);
    }
}
