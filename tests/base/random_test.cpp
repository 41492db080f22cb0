#include <defiance/base/random.hpp>

#include <catch2/catch.hpp>

#include <set>

using namespace defiance;

// The values that the inventors' program prints for this seed.
TEST_CASE("random numbers are those of splitmix64", "[base]") {
    Random random(1234567);
    CHECK(random.next() == 6457827717110365317U);
    CHECK(random.next() == 3203168211198807973U);
    CHECK(random.next() == 9817491932198370423U);
}

TEST_CASE("random numbers below a bound are all of them and no others", "[base]") {
    Random random(1);
    std::set<int> seen;
    for (int i = 0; i < 200; ++i)
        seen.insert(random.below(7));
    CHECK(seen == std::set<int>{0, 1, 2, 3, 4, 5, 6});
    CHECK(random.below(std::size_t{1}) == 0);
}
