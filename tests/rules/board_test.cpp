#include <defiance/rules/board.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <set>

#include <defiance/rules/english.hpp>

using namespace defiance;

TEST_CASE("every playable place has its own square index", "[rules]") {
    std::set<int> indices;
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            if (!is_playable({x, y})) continue;
            const int index = index_of({x, y});
            CHECK(indices.insert(index).second);
            CHECK(coordinate_of(index) == Coordinate{x, y});
        }
    }
    CHECK(indices.size() == 32);
    CHECK(*indices.begin() == 0);
    CHECK(*indices.rbegin() == 31);
}

TEST_CASE("places beside the board and light squares are not playable", "[rules]") {
    CHECK(is_playable({0, 0}));
    CHECK(is_playable({7, 7}));
    CHECK_FALSE(is_playable({1, 0}));
    CHECK_FALSE(is_playable({8, 0}));
    CHECK_FALSE(is_playable({0, 8}));
    CHECK_FALSE(is_playable({-1, 1}));
    CHECK_FALSE(is_playable({1, -1}));
}

TEST_CASE("a step leads to the neighbour square or off the board", "[rules]") {
    const int dx[] = {1, -1, 1, -1};
    const int dy[] = {1, 1, -1, -1};
    for (int index = 0; index < 32; ++index) {
        const Coordinate from = coordinate_of(index);
        for (unsigned d = 0; d < 4; ++d) {
            const Coordinate to = {from.x + dx[d], from.y + dy[d]};
            const Bitboard expected = is_playable(to) ? bit(index_of(to)) : 0;
            CHECK(step(all_directions[d], bit(index)) == expected);
        }
    }
}

TEST_CASE("steps move all squares of a set at once and back again", "[rules]") {
    for (Direction direction : all_directions) {
        Bitboard expected = 0;
        for (int index = 0; index < 32; ++index)
            expected |= step(direction, bit(index));
        CHECK(step(direction, ~Bitboard{0}) == expected);
        CHECK(step(opposite(direction), step(direction, ~Bitboard{0})) ==
              step(opposite(direction), expected));
        CHECK(opposite(opposite(direction)) == direction);
    }
}

TEST_CASE("a square that rises in index by the distance of a direction is a step away", "[rules]") {
    for (int index = 0; index < 32; ++index) {
        const Bitboard target = step<Direction::up_left>(bit(index));
        if (target != 0) CHECK(lowest(target) == (index + index_distance<Direction::up_left>) % 32);
    }
}

TEST_CASE("rows and columns have four squares and cover the board", "[rules]") {
    Bitboard rows = 0;
    Bitboard columns = 0;
    for (int i = 0; i < 8; ++i) {
        CHECK(count(row(i)) == 4);
        CHECK(count(column(i)) == 4);
        CHECK(reversed(row(i)) == row(7 - i));
        CHECK(reversed(column(i)) == column(7 - i));
        rows |= row(i);
        columns |= column(i);
    }
    CHECK(rows == ~Bitboard{0});
    CHECK(columns == ~Bitboard{0});
    CHECK(crowning_row_of(Side::black) == row(7));
    CHECK(crowning_row_of(Side::white) == row(0));
}

TEST_CASE("square numbers and indices stand for each other", "[rules][english]") {
    for (int number = 1; number <= 32; ++number)
        CHECK(Numbering<English>::number(Numbering<English>::index(number)) == number);
    for (int index = 0; index < 32; ++index)
        CHECK(Numbering<English>::index(Numbering<English>::number(index)) == index);
}

TEST_CASE("English squares are counted from black's right-hand corner", "[rules][english]") {
    const auto place = [](int number) { return coordinate_of(Numbering<English>::index(number)); };
    CHECK(place(1) == Coordinate{6, 0});
    CHECK(place(4) == Coordinate{0, 0});
    CHECK(place(5) == Coordinate{7, 1});
    CHECK(place(8) == Coordinate{1, 1});
    CHECK(place(15) == Coordinate{3, 3});
    CHECK(place(29) == Coordinate{7, 7});
    CHECK(place(32) == Coordinate{1, 7});
}

TEST_CASE("squares have the numbers 1 to 32", "[rules]") {
    STATIC_REQUIRE(is_square_number(1));
    STATIC_REQUIRE(is_square_number(32));
    for (const std::int64_t number : {-1, 0, 33, 64})
        CHECK_FALSE(is_square_number(number));
    CHECK_FALSE(is_square_number((std::int64_t{1} << 32) + 1));
}
