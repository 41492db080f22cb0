#include <catch2/catch.hpp>

#include <string_view>

#include <tools/match/ending.hpp>

using namespace defiance;

TEST_CASE("who breaks a rule has lost by a fault", "[tools][match]") {
    for (const std::string_view code : {"L2", "L3", "L4", "L5", "L6"}) {
        REQUIRE(parse_ending(code));
        CHECK(code_of(*parse_ending(code)) == code);
        CHECK(is_fault(*parse_ending(code)));
    }
    for (const std::string_view code : {"L1", "D1", "D2", "D3", "D4", "D5", "abort"}) {
        REQUIRE(parse_ending(code));
        CHECK(code_of(*parse_ending(code)) == code);
        CHECK_FALSE(is_fault(*parse_ending(code)));
    }
    CHECK_FALSE(parse_ending("L7"));
}
