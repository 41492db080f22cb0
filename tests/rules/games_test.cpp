#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

#include <defiance/rules/board.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/path.hpp>

#include "../every_game.hpp"
#include "random_position.hpp"

using namespace defiance;

namespace {

using Texts = std::set<std::string>;

template <class Rules>
Texts moves_of(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<Rules>, fen);
    REQUIRE(position);
    MoveList moves;
    generate_moves<Rules>(*position, moves);
    Texts texts;
    for (const Move& move : moves)
        texts.insert(to_text(rules_of<Rules>, *position, move));
    return texts;
}

/// The FEN after the only move of the position.
template <class Rules>
std::string after_only_move(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<Rules>, fen);
    REQUIRE(position);
    MoveList moves;
    generate_moves<Rules>(*position, moves);
    REQUIRE(moves.size() == 1);
    return to_fen(rules_of<Rules>, after<Rules>(*position, moves[0]));
}

template <class Rules>
Coordinate place(int number) {
    return coordinate_of(Numbering<Rules>::index(number));
}

}  // namespace

TEST_CASE("a capture of one piece is not mistaken for the start of a longer one",
          "[rules][games]") {
    const Position p = *parse_fen(rules_of<Russian>, "W:WK23,K31:B7,8,19,27,K1,K6,K17,K29");
    const Result<Move> move = parse_move(rules_of<Russian>, p, "23x32");
    REQUIRE(move);
    CHECK(move->captured == bit(Numbering<Russian>::index(27)));
}

TEST_CASE("algebraic squares are read where the game has them", "[rules][games]") {
    const auto fen_of = []<class Rules>(Rules, std::string_view text) {
        const Result<Position> position = parse_fen(rules_of<Rules>, text);
        return position ? to_fen(rules_of<Rules>, *position) : position.error();
    };
    CHECK(fen_of(Russian(), "W:Wa1,Kg1,c3:Bb8,KH8,d6") == "W:W22,29,K32:B1,10,K4");
    CHECK(fen_of(Brazilian(), "B:WKC3:Be5.") == "B:WK22:B15");
    CHECK(fen_of(Czech(), "W:Wa1,c1,e1,g1:Bh8") == "W:W1,2,3,4:B32");
    CHECK(fen_of(Czech(), "W:Wa1-g1:B30-h8") == "W:W1,2,3,4:B30,31,32");
    for (const std::string wrong : {"a2", "i1", "a0", "a9", "a", "a11", "`1", "@1", "Ka"}) {
        std::string problem = "'";
        problem += wrong + "' is not a square";
        CHECK(fen_of(Russian(), "W:W" + wrong + ":Bb8") == problem);
    }
    CHECK(fen_of(English(), "W:Wa1:B1") == "'a1' is not a square from 1 to 32");
    CHECK(fen_of(Spanish(), "W:Wa1:B1") == "'a1' is not a square from 1 to 32");
    const Position start = start_position(Side::white);
    CHECK(to_text(rules_of<Russian>, start, *parse_move(rules_of<Russian>, start, "c3-d4")) ==
          "22-18");
    const Position capture = *parse_fen(rules_of<Russian>, "W:Wc3:Bd4,f6");
    CHECK(to_text(rules_of<Russian>, capture, *parse_move(rules_of<Russian>, capture, "c3:g7")) ==
          "22x15x8");
    CHECK(to_text(rules_of<Russian>, capture,
                  *parse_move(rules_of<Russian>, capture, "c3xe5xg7")) == "22x15x8");
    CHECK_FALSE(parse_move(rules_of<Russian>, capture, "c3:e5"));
    CHECK_FALSE(parse_move(rules_of<Italian>, start, "c3-d4"));
}

TEST_CASE("each game numbers its squares as CheckerBoard does", "[rules][games]") {
    CHECK(place<Italian>(1) == Coordinate{0, 0});
    CHECK(place<Italian>(32) == Coordinate{7, 7});
    CHECK(place<Spanish>(1) == Coordinate{7, 7});
    CHECK(place<Spanish>(32) == Coordinate{0, 0});
    CHECK(place<Russian>(4) == Coordinate{0, 0});
    CHECK(place<Russian>(29) == Coordinate{7, 7});
    CHECK(place<Brazilian>(1) == Coordinate{6, 0});
    CHECK(place<Czech>(1) == Coordinate{7, 7});
    CHECK(place<Czech>(32) == Coordinate{0, 0});
}

TEST_CASE("each game starts from its squares with its first player", "[rules][games]") {
    CHECK(to_fen(rules_of<Italian>, start_position(Italian::first_side)) ==
          "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    CHECK(to_fen(rules_of<Spanish>, start_position(Spanish::first_side)) ==
          "W:W1,2,3,4,5,6,7,8,9,10,11,12:B21,22,23,24,25,26,27,28,29,30,31,32");
    CHECK(to_fen(rules_of<Czech>, start_position(Czech::first_side)) ==
          "W:W1,2,3,4,5,6,7,8,9,10,11,12:B21,22,23,24,25,26,27,28,29,30,31,32");
}

TEST_CASE("Italian men do not take kings", "[rules][italian]") {
    CHECK(moves_of<Italian>("W:W18:BK14") == Texts{"18-13"});
    CHECK(moves_of<Italian>("W:W18:B14") == Texts{"18x11"});
}

TEST_CASE("Italian captures are chosen in four steps", "[rules][italian]") {
    // Most pieces, though a king could take one.
    CHECK(moves_of<Italian>("W:W22,K32:B18,10,28") == Texts{"22x13x6"});
    // As many: the king before the man.
    CHECK(moves_of<Italian>("W:W22,K23:B18,19") == Texts{"23x14x21"});
    // As many by the king: most kings.
    CHECK(moves_of<Italian>("W:WK23:B18,19,K20,12") == Texts{"23x16x7"});
    // As many kings: where the first is met earlier.
    CHECK(moves_of<Italian>("W:WK15,K16:BK9,K11,K12,K19,K20,K24,K29,K30") ==
          Texts{"16x23x14x7x16"});
    // Not only the first: after the same king 10x19x12x3 would take a man, then the second king.
    CHECK(moves_of<Italian>("W:WK10:BK14,15,K7,K22,21") == Texts{"10x19x26x17"});
}

TEST_CASE("the captures of the CheckerBoard reference are found in Italian", "[rules][italian]") {
    CHECK(moves_of<Italian>("B:W31:B3") == Texts{"3-6", "3-7"});
    CHECK(moves_of<Italian>("B:W11,13,19,21:B6,9") == Texts{"9x18x25", "6x15x22"});
}

TEST_CASE("Spanish captures obey the laws of quantity and quality", "[rules][spanish]") {
    // Two pieces against one.
    CHECK(moves_of<Spanish>("W:W9,12:B13,16,22") == Texts{"9x18x27"});
    // As many pieces, so either; with a king among them, that one.
    CHECK(moves_of<Spanish>("W:W9,11:B13,15,22,23") == Texts{"9x18x27", "11x20x27"});
    CHECK(moves_of<Spanish>("W:W9,11:B13,15,22,K23") == Texts{"11x20x27"});
}

TEST_CASE("a Russian man that reaches the last row in a capture goes on as a king",
          "[rules][russian]") {
    CHECK(moves_of<Russian>("W:W11:B7,9") == Texts{"11x2x13"});
    CHECK(after_only_move<Russian>("W:W11:B7,9") == "B:WK13:B");
    CHECK(after_only_move<Russian>("W:W10:B7,8") == "B:WK12:B");
    // Free choice: one piece or two.
    CHECK(moves_of<Russian>("W:W22,23:B17,18,10") ==
          Texts{"22x13", "22x15x6", "23x14x7", "23x14x21"});
}

TEST_CASE("a Brazilian man that passes the last row in a capture stays a man",
          "[rules][brazilian]") {
    CHECK(moves_of<Brazilian>("W:W11:B7,9") == Texts{"11x2"});
    CHECK(after_only_move<Brazilian>("W:W11:B7,9") == "B:WK2:B9");
    CHECK(after_only_move<Brazilian>("W:W10:B7,8") == "B:W12:B");
    // The capture of most pieces must be taken.
    CHECK(moves_of<Brazilian>("W:W22,23:B17,18,10") == Texts{"22x15x6", "23x14x7", "23x14x21"});
}

TEST_CASE("a Czech king captures before a man", "[rules][czech]") {  // 4.14
    CHECK(moves_of<Czech>("W:W17,K1:B21,10") == Texts{"1x14x25"});
    CHECK(moves_of<Czech>("W:W17:B21,10") == Texts{"17x26"});
}

TEST_CASE("a flying king stops where it can go on capturing", "[rules][games]") {
    CHECK(moves_of<Russian>("W:WK29:B18") == Texts{"29x4", "29x8", "29x11", "29x15"});
    CHECK(moves_of<Russian>("W:WK32:B27,14,17") == Texts{"32x23x5", "32x23x9"});
    CHECK(moves_of<Czech>("W:WK1,20:B10,23") == Texts{"1x14x28", "1x14x32"});
}

TEST_CASE("pieces taken stand in the way until the capture is over", "[rules][games]") {
    // From 15 the king cannot go back over 18, which it has taken and which still stands there.
    CHECK(moves_of<Russian>("W:WK29:B25,10,18,19") ==
          Texts{"29x22x15x1", "29x22x15x6", "29x22x15x24", "29x22x15x28"});
}

TEMPLATE_TEST_CASE("a colon in a capture is read as an x", "[rules][games]", DEFIANCE_EVERY_GAME) {
    Random random(12);
    int captures = 0;
    for (int i = 0; i < 500; ++i) {
        const Position p = testing::random_position(random, 60);
        MoveList moves;
        generate_moves<TestType>(p, moves);
        for (const Move& move : moves) {
            if (!move.is_capture()) continue;
            ++captures;
            std::string text = to_text(rules_of<TestType>, p, move);
            REQUIRE(text.find(':') == std::string::npos);
            std::replace(text.begin(), text.end(), 'x', ':');
            const Result<Move> read = parse_move(rules_of<TestType>, p, text);
            CAPTURE(to_fen(rules_of<TestType>, p), text);
            REQUIRE(read);
            REQUIRE(*read == move);
        }
    }
    CHECK(captures > 100);
}

TEMPLATE_TEST_CASE("every move has a path that takes its pieces and can be read back",
                   "[rules][games]", DEFIANCE_EVERY_GAME) {
    Random random(11);
    int captures = 0;
    for (int i = 0; i < 3000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 15 : 60);
        MoveList moves;
        generate_moves<TestType>(p, moves);
        for (const Move& move : moves) {
            const Path path = path_of(rules_of<TestType>, p, move);
            Bitboard taken = 0;
            for (const Jump& jump : path)
                taken |= bit(jump.captured);
            REQUIRE(taken == move.captured);
            if (path.empty()) continue;
            ++captures;
            REQUIRE(path.back().landing == move.to);
            const std::string text = to_text(rules_of<TestType>, p, move);
            const Result<Move> read = parse_move(rules_of<TestType>, p, text);
            CAPTURE(to_fen(rules_of<TestType>, p), text);
            REQUIRE(read);
            REQUIRE(*read == move);
        }
    }
    CHECK(captures > 2000);
}
