#include <catch2/catch.hpp>

#include <set>
#include <vector>

#include <defiance/book/book_choice.hpp>
#include <defiance/rules/games.hpp>

using namespace defiance;

namespace {

/// Moves from the squares 0, 1, ... with these scores.
std::vector<BookMove> moves_with(const std::vector<std::pair<int, bool>>& scores) {
    std::vector<BookMove> moves;
    for (const auto& [score, is_explored] : scores)
        moves.push_back({Move{0, static_cast<std::uint8_t>(moves.size()), 20, false}, score, 10,
                         static_cast<std::uint8_t>(is_explored ? min_support : min_support - 1)});
    return moves;
}

/// The squares of the moves that are ever chosen.
std::set<int> chosen(const std::vector<BookMove>& moves, BookUse use) {
    Random random(1);
    std::set<int> squares;
    for (int i = 0; i < 300; ++i)
        if (const auto move = choose_book_move(moves, use, random)) squares.insert(move->move.from);
    return squares;
}

}  // namespace

TEST_CASE("each level plays the moves that it names", "[book]") {
    const auto moves =
        moves_with({{10, true}, {10, true}, {4, true}, {5, false}, {-10, true}, {-11, true}});
    CHECK(chosen(moves, BookUse::none).empty());
    CHECK(chosen(moves, BookUse::any_sound) == std::set{0, 1, 2, 3, 4});
    CHECK(chosen(moves, BookUse::good) == std::set{0, 1, 2});
    CHECK(chosen(moves, BookUse::best) == std::set{0});
    CHECK(chosen({}, BookUse::any_sound).empty());
}

TEST_CASE("the most careful use that may play a move is told", "[book]") {
    const auto moves =
        moves_with({{10, true}, {10, true}, {4, true}, {5, false}, {-10, true}, {-11, true}});
    const BookUse uses[] = {BookUse::best,      BookUse::good,      BookUse::good,
                            BookUse::any_sound, BookUse::any_sound, BookUse::none};
    for (std::size_t i = 0; i < moves.size(); ++i) {
        INFO(i);
        CHECK(most_careful_use(moves, moves[i]) == uses[i]);
    }
    // A best move without support is played for variety only.
    CHECK(most_careful_use(moves_with({{10, false}}), moves_with({{10, false}})[0]) ==
          BookUse::any_sound);
}

TEST_CASE("a best move that was searched briefly is left to the engine", "[book]") {
    const auto moves = moves_with({{10, false}, {8, true}});
    CHECK(chosen(moves, BookUse::best).empty());
    CHECK(chosen(moves, BookUse::good) == std::set{1});
    CHECK(chosen(moves, BookUse::any_sound) == std::set{0, 1});
    CHECK(chosen(moves_with({{10, false}}), BookUse::good).empty());
}

TEST_CASE("of moves with the best score one with support is the best", "[book]") {
    const auto moves = moves_with({{10, false}, {10, true}, {10, true}, {4, true}});
    CHECK(chosen(moves, BookUse::best) == std::set{1});
    CHECK(chosen(moves, BookUse::good) == std::set{1, 2, 3});
    CHECK(chosen(moves, BookUse::any_sound) == std::set{0, 1, 2, 3});
    CHECK(most_careful_use(moves, moves[0]) == BookUse::any_sound);
    CHECK(most_careful_use(moves, moves[1]) == BookUse::best);
    CHECK(most_careful_use(moves, moves[2]) == BookUse::good);
    CHECK(chosen(moves_with({{10, false}, {10, false}, {9, true}}), BookUse::best).empty());
}

TEST_CASE("a certain win is not exchanged for a guess", "[book]") {
    const auto moves = moves_with({{29990, true}, {29985, true}, {500, true}});
    CHECK(chosen(moves, BookUse::any_sound) == std::set{0, 1});
    CHECK(chosen(moves, BookUse::best) == std::set{0});
}

TEST_CASE("a seed repeats the choice", "[book]") {
    const auto moves = moves_with({{5, true}, {4, true}, {3, true}, {2, true}});
    const auto sequence = [&](std::uint64_t seed) {
        Random random(seed);
        std::vector<int> squares;
        for (int i = 0; i < 20; ++i)
            squares.push_back(choose_book_move(moves, BookUse::good, random)->move.from);
        return squares;
    };
    CHECK(sequence(5) == sequence(5));
    CHECK(sequence(5) != sequence(6));
}

TEST_CASE("the number of a move is that of one legal move", "[book]") {
    // Two ways to take two men each between the same squares.
    const GameRules& rules = rules_of<Russian>;
    for (const auto& position :
         {rules.start_position(),
          Position{bit(0), bit(5) | bit(6) | bit(13) | bit(14) | bit(22), bit(0), Side::black}}) {
        const Position seen = with_black_to_move(position);
        MoveList moves;
        rules.generate_moves(seen, moves);
        std::set<int> codes;
        for (const Move& move : moves) {
            const std::uint16_t code = book_move_code(rules, seen, move);
            codes.insert(code);
            CHECK(find_book_move(rules, seen, code) == move);
            CHECK(turned(turned(move)) == move);
        }
        CHECK(codes.size() == moves.size());
        int known = 0;
        for (unsigned code = 0; code <= 0xFFFF; ++code)
            known += find_book_move(rules, seen, static_cast<std::uint16_t>(code)).has_value();
        CHECK(static_cast<std::size_t>(known) == moves.size());
    }
}
