#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <unordered_map>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>

#include "random_position.hpp"

using namespace defiance;
using namespace defiance::testing;

namespace {

Position read_fen(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

Position played(const Position& position, std::string_view text) {
    const Result<Move> move = parse_move(rules_of<English>, position, text);
    REQUIRE(move);
    return after<English>(position, *move);
}

bool reversible(const Position& position, std::string_view text) {
    return is_reversible(position, *parse_move(rules_of<English>, position, text));
}

}  // namespace

TEST_CASE("the game starts with twelve men a side and black to move", "[rules][english]") {
    const Position start = start_position(English::first_side);
    CHECK(start == read_fen("B:W21-32:B1-12"));
    CHECK(start.kings == 0);
    CHECK(start.own() == start.black);
    CHECK(start.theirs() == start.white);
    CHECK_FALSE(find_fault(start));
}

TEST_CASE("a board that no game can reach has a fault", "[rules]") {
    CHECK(find_fault(read_fen("B:W30:B1-13")) == PositionFault::too_many_black);
    CHECK(find_fault(read_fen("B:W20-32:B1")) == PositionFault::too_many_white);
    CHECK(find_fault(read_fen("B:W30:B")) == PositionFault::no_black);
    CHECK(find_fault(read_fen("B:W:B30")) == PositionFault::man_on_crowning_row);
    CHECK(find_fault(read_fen("B:W:BK30")) == PositionFault::no_white);
    CHECK(find_fault(read_fen("B:W5:B32")) == PositionFault::man_on_crowning_row);
    CHECK(find_fault(read_fen("W:W1:B5")) == PositionFault::man_on_crowning_row);
    CHECK_FALSE(find_fault(read_fen("W:WK5,30:BK32,1-4")));
}

TEST_CASE("every fault is described in different words", "[rules]") {
    const PositionFault faults[] = {PositionFault::too_many_black, PositionFault::too_many_white,
                                    PositionFault::man_on_crowning_row, PositionFault::no_black,
                                    PositionFault::no_white};
    for (const PositionFault a : faults)
        for (const PositionFault b : faults)
            CHECK((describe(a) == describe(b)) == (a == b));
}

TEST_CASE("a move puts the piece on its new square and passes the turn", "[rules]") {
    CHECK(played(read_fen("B:W21-32:B1-12"), "11-15") == read_fen("W:W21-32:B1-10,12,15"));
    CHECK(played(read_fen("W:W18,30:B15,2"), "18x11") == read_fen("B:W11,30:B2"));
    CHECK(played(read_fen("B:WK18,30:BK15,2"), "15x22") == read_fen("W:W30:BK22,2"));
}

TEST_CASE("a man that reaches the last row is a king", "[rules]") {
    CHECK(played(read_fen("B:W5:B27"), "27-31") == read_fen("W:W5:BK31"));
    CHECK(played(read_fen("W:W6:B30"), "6-1") == read_fen("B:WK1:B30"));
    CHECK(played(read_fen("W:W11:B8,30"), "11x4") == read_fen("B:WK4:B30"));
    CHECK(played(read_fen("B:W5:BK31"), "31-27") == read_fen("W:W5:BK27"));
}

TEST_CASE("a captured king leaves no crown behind", "[rules]") {
    const Position next = played(read_fen("B:WK18,K1:B15,2"), "15x22");
    CHECK(next == read_fen("W:WK1:B22,2"));
    CHECK((next.kings & ~next.occupied()) == 0);
}

TEST_CASE("only king moves without capture can be taken back", "[rules]") {
    CHECK(reversible(read_fen("B:W5:BK31"), "31-27"));
    CHECK_FALSE(reversible(read_fen("B:W5:B27"), "27-31"));
    CHECK_FALSE(reversible(read_fen("B:W5:B15"), "15-18"));
    CHECK_FALSE(reversible(read_fen("B:WK18,30:BK15,2"), "15x22"));
}

TEST_CASE("turning the board twice changes nothing", "[rules]") {
    Random random(11);
    for (int i = 0; i < 1000; ++i) {
        const Position p = random_position(random, 50);
        CHECK(flipped(flipped(p)) == p);
        CHECK(flipped(p).side != p.side);
        CHECK(count_moves<English>(flipped(p)) == count_moves<English>(p));
        CHECK_FALSE(find_fault(flipped(p)));
    }
    const Position start = start_position(Side::black);
    CHECK(flipped(start) == start_position(Side::white));
}

TEST_CASE("equal positions have equal keys and others different ones", "[rules]") {
    Random random(12);
    std::unordered_map<std::uint64_t, Position> seen;
    for (int i = 0; i < 20000; ++i) {
        const Position p = random_position(random, 50);
        const auto [place, is_new] = seen.emplace(key_of(p), p);
        if (!is_new) CHECK(place->second == p);
        Position other = p;
        other.side = opponent(p.side);
        CHECK(key_of(other) != key_of(p));
        other = p;
        other.kings ^= p.occupied() & (~p.occupied() + 1);
        CHECK(key_of(other) != key_of(p));
    }
}

TEST_CASE("the key of a position does not depend on the way to it", "[rules]") {
    Position a = start_position(Side::black);
    Position b = a;
    for (const char* text : {"9-13", "22-18", "12-16", "24-20"})
        a = played(a, text);
    for (const char* text : {"12-16", "24-20", "9-13", "22-18"})
        b = played(b, text);
    CHECK(a == b);
    CHECK(key_of(a) == key_of(b));
}

TEST_CASE("the key is the same on every build", "[rules]") {
    CHECK(key_of(start_position(Side::black)) == 0x53019F9B4F32784DU);
    CHECK(key_of(start_position(Side::white)) == 0xEC09452DEF8CD91CU);
}
