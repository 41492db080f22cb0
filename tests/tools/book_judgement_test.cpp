#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/book/judgement.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"

namespace defiance {
namespace {

/// A book with this move, which an engine would play, and one that it would not.
OpeningBook book_with(const TemporaryFolder& folder, const std::string& fen,
                      const std::string& text, std::uint8_t support) {
    const GameRules& rules = find_game("english")->rules;
    const auto position = parse_fen(rules, fen);
    REQUIRE(position);
    const auto move = parse_move(rules, *position, text);
    REQUIRE(move);
    const auto bytes = make_book(rules, {{*position, {{*move, 10, 5, support}}}}, "");
    REQUIRE(bytes);
    folder.write("english.book", *bytes);
    auto book = OpeningBook::open(rules, folder.path() + "/english.book");
    REQUIRE(book);
    return *std::move(book);
}

std::vector<JudgedMove> judged(const OpeningBook& book, int threads = 1) {
    JudgementSettings settings;
    settings.seconds = 0.5;
    settings.threads = threads;
    std::size_t last = 0;
    const auto moves = judge_book(
        *find_game("english"), book, settings, [] { return false; },
        [&](std::size_t done) { last = done; });
    REQUIRE(moves);
    REQUIRE(*moves);
    CHECK(last == (*moves)->size());
    return **moves;
}

}  // namespace

TEST_CASE("a blunder in a book is found", "[book]") {
    const TemporaryFolder folder;
    const auto bad = judged(book_with(folder, "B:W24,25,26,27,28,32:B1,2,3,4,5,16", "16-19", 255));
    REQUIRE(bad.size() == 1);
    CHECK(bad[0].loss >= 50);
    CHECK(bad[0].better != bad[0].move);
    const auto good =
        judged(book_with(folder, "B:W24,25,26,27,28,32:B1,2,3,4,5,16", "16-20", 255), 2);
    REQUIRE(good.size() == 1);
    CHECK(good[0].loss < 50);
}

TEST_CASE("moves that no engine plays from the book are not judged", "[book]") {
    const TemporaryFolder folder;
    CHECK(judged(book_with(folder, "B:W24,25,26,27,28,32:B1,2,3,4,5,16", "16-19", 0)).empty());
}

TEST_CASE("judging can be stopped", "[book]") {
    const TemporaryFolder folder;
    const OpeningBook book = book_with(folder, "B:W24,25,26,27,28,32:B1,2,3,4,5,16", "16-19", 255);
    JudgementSettings settings;
    settings.seconds = 1000;
    int asked = 0;
    const auto moves = judge_book(
        *find_game("english"), book, settings, [&] { return ++asked > 3; }, [](std::size_t) {});
    REQUIRE(moves);
    CHECK_FALSE(*moves);
}

}  // namespace defiance
