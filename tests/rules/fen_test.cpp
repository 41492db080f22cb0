#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>

#include <catch2/catch.hpp>

#include <string>

#include <defiance/rules/board.hpp>
#include <defiance/rules/english.hpp>

#include "random_position.hpp"

using namespace defiance;
using namespace defiance::testing;

namespace {

Bitboard square(int number) {
    return bit(Numbering<English>::index(number));
}

Position read(std::string_view fen) {
    INFO(std::string(fen));
    const Result<Position> position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

std::string error_of(std::string_view fen) {
    INFO(std::string(fen.substr(0, 80)));
    const Result<Position> position = parse_fen(rules_of<English>, fen);
    REQUIRE_FALSE(position);
    CHECK_FALSE(position.error().empty());
    CHECK(position.error().size() < 200);
    CHECK(position.error().find('\n') == std::string::npos);
    return position.error();
}

}  // namespace

TEST_CASE("a FEN names the side to move, men and kings", "[rules][english]") {
    const Position p = read("W:WK12,27:B21,K24");
    CHECK(p.side == Side::white);
    CHECK(p.white == (square(12) | square(27)));
    CHECK(p.black == (square(21) | square(24)));
    CHECK(p.kings == (square(12) | square(24)));
}

TEST_CASE("the colours come in either order", "[rules]") {
    CHECK(read("W:B21,K24:WK12,27") == read("W:WK12,27:B21,K24"));
    CHECK(read("B:B1:W32").side == Side::black);
}

TEST_CASE("a FEN may have ranges, small letters, white space and a final stop", "[rules]") {
    const Position start = start_position(Side::black);
    CHECK(read("B:W21-32:B1-12") == start);
    CHECK(read("b:w21-32:b1-12") == start);
    CHECK(read("B:W21-32:B1-12.") == start);
    CHECK(read("  B : W 21 - 32 : B 1-6 , 7,8, 9-12 . \r\n") == start);
    CHECK(read("W:Wk1:bk5,k 6") == read("W:WK1:BK5,K6"));
    CHECK(read("W:WK5-7:B1") == read("W:WK5,K6,K7:B1"));
    CHECK(read("W:W5-5:B1") == read("W:W5:B1"));
}

TEST_CASE("a colour may have no piece", "[rules]") {
    CHECK(read("W:W:B1").white == 0);
    CHECK(read("W:B1:W").white == 0);
    CHECK(read("B:W:B").occupied() == 0);
}

TEST_CASE("what is no FEN is refused with the reason", "[rules]") {
    CHECK(error_of("") == "no position given");
    CHECK(error_of(" \t") == "no position given");
    CHECK(error_of(".") == "no position given");
    CHECK(error_of("X:W1:B2").find("begins with W: or B:") != std::string::npos);
    CHECK(error_of("W").find("both colours") != std::string::npos);
    CHECK(error_of("W:W1").find("both colours") != std::string::npos);
    CHECK(error_of("W:W1:W2") == "white is named twice");
    CHECK(error_of("W:B1:B2") == "black is named twice");
    CHECK(error_of("W:W1,1:B2") == "square 1 is named twice");
    CHECK(error_of("W:W1:B1") == "square 1 is named twice");
    CHECK(error_of("W:W1-4:BK3") == "square 3 is named twice");
    CHECK(error_of("W:1:B2").find("begin with W or B") != std::string::npos);
    CHECK(error_of("W::").find("begin with W or B") != std::string::npos);
    CHECK(error_of("W:W1,:B2") == "a list of squares ends with a comma");
    for (const char* item : {"0", "33", "-1", "+1", "1-", "-", "5-4", "1-2-3", "K", "KK1", "a1",
                             "1.5", "1 2", "99999999999999999999", ",", "1,,2", "0x1", "Q1"}) {
        const std::string error = error_of("W:W" + std::string(item) + ":B2");
        CHECK(error.find("is not a square from 1 to 32") != std::string::npos);
    }
    for (const char* fen : {"W:W1:B2:", "W:W1:B2:H0:X1", "W:W1:B2:H:F1", "W:W1:B2 3", "W:W1:B2..",
                            "W W1 B2", "WW:W1:B2", "W:W1;B2", ":W1:B2", "(W:W1:B2)"})
        error_of(fen);
}

TEST_CASE("a FEN may have the tag of PDN and the counters of lidraughts", "[rules]") {
    const Position wanted = read("W:W31:B1");
    for (const char* fen :
         {"W:W31:B1:H0:F1", "W:W31:B1:H0:F1.", "w:w31:b1:h12:f345 .", "W:W31:B1 : F1 : H0",
          "W:W31:B1:H0", "[FEN \"W:W31:B1\"]", " [ fen  \" W:W31:B1:H0:F1. \" ] ", "FEN W:W31:B1",
          "\"W:W31:B1.\"", "[FEN W:W31:B1]"})
        CHECK(read(fen) == wanted);
    CHECK(error_of("[FEN \"\"]") == "no position given");
    CHECK(error_of("[FEN \"X\"]") == "a FEN begins with W: or B:, not with 'X'");
    CHECK(error_of("W:W31:H0").find("both colours") != std::string::npos);
    CHECK(error_of("W:H0:F1").find("both colours") != std::string::npos);
    // One tag around it, with both its ends, and nothing before the counters that is none.
    for (const char* fen :
         {"[FEN \"W:W31:B1\"", "FEN \"W:W31:B1\"]", "\"W:W31:B1", "[FEN \"[FEN \"W:W31:B1\"]\"]",
          "[Event \"W:W31:B1\"]", "FENW:W31:B1", "W:W31:H0:B1", "W:W31:B1:H0.:F1", "W:W31:B1:H0 1"})
        error_of(fen);
}

TEST_CASE("hostile text is refused without harm", "[rules]") {
    const std::string zeros(3, '\0');
    error_of(zeros);
    error_of("W:W" + zeros + ":B1");
    error_of("W:W\xFF\xFE:B\x80");
    error_of(std::string(1000000, ':'));
    error_of("W:W" + std::string(1000000, ',') + ":B1");
    error_of("W:W" + std::string(1000000, '1') + ":B1");
    error_of("W:WK" + std::string(1000000, 'K') + ":B1");
    error_of(std::string(1000000, ' ') + "W");
    error_of(std::string(1000000, '['));
    error_of(std::string(1000000, '"'));
    error_of('[' + std::string(1000000, ' ') + ']');
    std::string counters = "W:W";
    for (int i = 0; i < 300000; ++i)
        counters += ":H0";
    error_of(counters);
    error_of("W:W1:B2:H" + std::string(1000000, '0') + 'x');
    std::string many = "W:W1";
    for (int i = 0; i < 100000; ++i)
        many += ",1";
    error_of(many + ":B2");
}

TEST_CASE("no text of random bytes breaks the reader", "[rules]") {
    const std::string_view alphabet = "WBwbKk:,-.0123456789 \n\x80";
    Random random(3);
    int accepted = 0;
    for (int i = 0; i < 50000; ++i) {
        std::string text = random.below(2) == 0 ? "W:W" : "B:B";
        for (int length = random.below(20); length > 0; --length)
            text +=
                alphabet[static_cast<std::size_t>(random.below(static_cast<int>(alphabet.size())))];
        const Result<Position> position = parse_fen(rules_of<English>, text);
        if (!position) continue;
        ++accepted;
        CHECK((position->black & position->white) == 0);
        CHECK((position->kings & ~position->occupied()) == 0);
        CHECK(read(to_fen(rules_of<English>, *position)) == *position);
    }
    CHECK(accepted > 20);
}

TEST_CASE("the FEN of a position is read back as the same position", "[rules]") {
    Random random(4);
    for (int i = 0; i < 5000; ++i) {
        const Position p = random_position(random, 50);
        CHECK(read(to_fen(rules_of<English>, p)) == p);
    }
}

TEST_CASE("a FEN is written with white first, men before kings, rising numbers", "[rules]") {
    CHECK(to_fen(rules_of<English>, read("W:BK24,21:W27,K12,3")) == "W:W3,27,K12:B21,K24");
    CHECK(to_fen(rules_of<English>, read("B:W:B2")) == "B:W:B2");
    CHECK(to_fen(rules_of<English>, start_position(Side::black)) ==
          "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
}
