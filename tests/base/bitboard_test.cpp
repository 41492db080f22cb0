#include <defiance/base/bitboard.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace defiance;

TEST_CASE("the squares of a set are walked lowest first", "[base]") {
    std::vector<int> seen;
    for (int square : Squares(bit(31) | bit(0) | bit(7)))
        seen.push_back(square);
    CHECK(seen == std::vector<int>{0, 7, 31});
    for (int square : Squares(0))
        FAIL("an empty set has no square " << square);
}

TEST_CASE("a set is counted and its lowest square found", "[base]") {
    CHECK(count(0) == 0);
    CHECK(count(~Bitboard{0}) == 32);
    CHECK(lowest(bit(31)) == 31);
    CHECK(lowest(bit(5) | bit(9)) == 5);
}

TEST_CASE("reversal exchanges the ends", "[base]") {
    for (int i = 0; i < 32; ++i)
        CHECK(reversed(bit(i)) == bit(31 - i));
    CHECK(reversed(reversed(0x12345678U)) == 0x12345678U);
}
