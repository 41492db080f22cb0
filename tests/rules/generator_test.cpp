#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/steps.hpp>

#include "../every_game.hpp"
#include "compare.hpp"
#include "random_position.hpp"

using namespace defiance;
using namespace defiance::testing;

namespace {

template <class Rules = English>
MoveList moves_of(const Position& position) {
    MoveList moves;
    generate_moves<Rules>(position, moves);
    return moves;
}

template <class Rules = English>
std::set<std::string> texts_of(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<Rules>, fen);
    REQUIRE(position);
    std::set<std::string> texts;
    for (const Move& move : moves_of<Rules>(*position))
        texts.insert(to_text(rules_of<Rules>, *position, move));
    return texts;
}

using Texts = std::set<std::string>;

/// What kinds of position a series of comparisons has met.
struct Coverage {
    int loops = 0;        ///< captures that end where they began
    int reorderings = 0;  ///< captures that can be carried out in several ways
    int long_captures = 0;
    int no_moves = 0;
};

/// Compares everything the generator says about a position with the reference; true when all agree.
/// Not one CHECK for each fact, because there are millions of them.
template <class Rules>
bool agrees_with_reference(const Position& position, Coverage& coverage) {
    const auto expected = reference_moves(reference_game(Rules::game_type), reference_of(position));
    const MoveList moves = moves_of<Rules>(position);
    std::set<ReferenceMove> unique;
    for (const Move& move : moves) {
        const ReferenceMove same = reference_of(move);
        const auto found = expected.find(same);
        if (found == expected.end() || !unique.insert(same).second) return false;
        coverage.loops += move.is_capture() && move.from == move.to;
        coverage.reorderings += found->second > 1;
        coverage.long_captures += same.captured.size() >= 5;
        const ReferenceBoard next = reference_after(reference_of(position), same);
        if (reference_of(after<Rules>(position, move)).piece != next.piece) return false;
    }
    coverage.no_moves += moves.empty();
    const bool captures = !moves.empty() && moves[0].is_capture();
    return unique.size() == expected.size() && count_moves<Rules>(position) == moves.size() &&
           can_capture<Rules>(position) == captures;
}

}  // namespace

TEST_CASE("men step forward to empty squares", "[rules][english]") {
    CHECK(texts_of("B:W30:B15") == Texts{"15-18", "15-19"});
    CHECK(texts_of("W:W15:B1") == Texts{"15-10", "15-11"});
    CHECK(texts_of("B:W30:B12") == Texts{"12-16"});
    CHECK(texts_of("B:W21-32:B1-12") ==
          Texts{"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"});
}

TEST_CASE("kings step one square in all four ways", "[rules][english]") {
    CHECK(texts_of("B:W30:BK15") == Texts{"15-10", "15-11", "15-18", "15-19"});
    CHECK(texts_of("W:WK29:B1") == Texts{"29-25"});
    CHECK(texts_of("W:WK4:B1") == Texts{"4-8"});
}

TEST_CASE("a capture must be played but any may be chosen", "[rules][english]") {
    CHECK(texts_of("B:W18:B15,1") == Texts{"15x22"});
    CHECK(texts_of("B:W18,26,19:B15,1") == Texts{"15x22x31", "15x24"});
}

TEST_CASE("a capture that was begun must be carried on to its end", "[rules][english]") {
    CHECK(texts_of("B:W6,14,22:B1") == Texts{"1x10x17x26"});
}

TEST_CASE("men do not capture backwards, kings do", "[rules][english]") {
    CHECK(texts_of("B:W10:B15") == Texts{"15-18", "15-19"});
    CHECK(texts_of("B:W10:BK15") == Texts{"15x6"});
}

TEST_CASE("a man that reaches the last row by capture stops there", "[rules][english]") {
    CHECK(texts_of("B:W26,27:B22") == Texts{"22x31"});
    CHECK(texts_of("B:W26,27:BK22") == Texts{"22x31x24"});
}

TEST_CASE("a king may pass the square where its capture began, or end there", "[rules][english]") {
    CHECK(texts_of("B:W17,18,26:BK22") == Texts{"22x13", "22x15", "22x31"});
    CHECK(texts_of("B:W9,10,17,18,19:BK15") == Texts{"15x24", "15x22x13x6x15x24"});
}

TEST_CASE("the same pieces taken in either order around a loop are one move", "[rules][english]") {
    const Position position = *parse_fen(rules_of<English>, "B:W9,10,17,18:BK6");
    const MoveList moves = moves_of(position);
    REQUIRE(moves.size() == 1);
    CHECK(moves[0].from == moves[0].to);
    CHECK(count(moves[0].captured) == 4);
}

TEST_CASE("without a piece or a free square there is no move", "[rules][english]") {
    CHECK(texts_of("B:W30:B").empty());
    CHECK(texts_of("B:W:B").empty());
    CHECK(texts_of("B:W16,19:B12").empty());
    CHECK(count_moves<English>(*parse_fen(rules_of<English>, "B:W16,19:B12")) == 0);
}

TEST_CASE("captures and quiet moves can be asked for apart", "[rules][english]") {
    const Position position = *parse_fen(rules_of<English>, "B:W18:B15,1");
    MoveList moves;
    generate_captures<English>(position, moves);
    CHECK(moves.size() == 1);
    generate_quiet_moves<English>(position, moves);
    CHECK(moves.size() == 4);
}

TEMPLATE_TEST_CASE("the generator agrees with the reference on random positions", "[rules][games]",
                   DEFIANCE_EVERY_GAME) {
    Random random(1);
    Coverage coverage;
    for (int i = 0; i < 50'000; ++i) {
        const Position position = random_position(random, i % 2 == 0 ? 15 : 75);
        const bool agrees = agrees_with_reference<TestType>(position, coverage);
        if (!agrees) FAIL("disagreement in " << to_fen(rules_of<TestType>, position));
    }
    CHECK(coverage.loops > 10);
    CHECK(coverage.reorderings > 10);
    CHECK(coverage.long_captures > 20);
    CHECK(coverage.no_moves > 30);
}

TEMPLATE_TEST_CASE("the generator agrees with the reference along random games", "[rules][games]",
                   DEFIANCE_EVERY_GAME) {
    Random random(2);
    Coverage coverage;
    for (int game = 0; game < 100; ++game) {
        Position position = start_position(TestType::first_side);
        for (int ply = 0; ply < 150; ++ply) {
            const bool agrees = agrees_with_reference<TestType>(position, coverage);
            if (!agrees) FAIL("disagreement in " << to_fen(rules_of<TestType>, position));
            const MoveList moves = moves_of<TestType>(position);
            if (moves.empty()) break;
            position = after<TestType>(
                position,
                moves[static_cast<std::size_t>(random.below(static_cast<int>(moves.size())))]);
        }
    }
    CHECK(coverage.no_moves > 3);
}

TEMPLATE_TEST_CASE("the pieces that can move are those with such moves", "[rules][games]",
                   DEFIANCE_EVERY_GAME) {
    Random random(5);
    for (int i = 0; i < 5000; ++i) {
        Position position = random_position(random, 50);
        position.side = Side::white;
        MoveList captures;
        MoveList quiet;
        generate_captures<TestType>(position, captures);
        generate_quiet_moves<TestType>(position, quiet);
        Bitboard from_captures = 0;
        Bitboard from_quiet = 0;
        for (const Move& move : captures)
            from_captures |= bit(move.from);
        for (const Move& move : quiet)
            from_quiet |= bit(move.from);
        const Bitboard takers = jumpers<TestType, Side::white>(position);
        // A game's choice among captures may leave out some of the pieces that could take.
        if (TestType::capture_choice == CaptureChoice::any) CHECK(takers == from_captures);
        CHECK((takers & from_captures) == from_captures);
        CHECK((takers != 0) == !captures.empty());
        CHECK(movers<Side::white>(position) == from_quiet);
        CHECK(jumpers<TestType, Side::black>(flipped(position)) == reversed(takers));
        CHECK(movers<Side::black>(flipped(position)) == reversed(from_quiet));
    }
}

TEST_CASE("a move list keeps to its room", "[rules]") {
    MoveList moves;
    for (std::size_t i = 0; i < MoveList::capacity + 10; ++i)
        moves.add({0, 1, 2, false});
    CHECK(moves.size() == MoveList::capacity);
    moves.clear();
    CHECK(moves.empty());
}
