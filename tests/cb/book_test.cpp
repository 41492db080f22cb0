#include <catch2/catch.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"
#include "../every_game.hpp"
#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

constexpr const char* opening_fen = "B:W21-32:B1-12";
const GameRules& english_rules = rules_of<English>;

struct ScoredMove {
    const char* move;
    int score;
    bool is_explored = true;
};

BookPosition book_entry(const GameRules& rules, const std::string& fen,
                        const std::vector<ScoredMove>& moves) {
    const Result<Position> position = parse_fen(rules, fen);
    REQUIRE(position);
    BookPosition result{*position, {}};
    for (const ScoredMove& m : moves) {
        const Result<Move> move = parse_move(rules, *position, m.move);
        REQUIRE(move);
        result.moves.push_back(
            {*move, m.score, 21, static_cast<std::uint8_t>(m.is_explored ? 200 : 0)});
    }
    return result;
}

std::string book_bytes(const GameRules& rules, const std::vector<BookPosition>& positions) {
    const Result<std::string> bytes = make_book(rules, positions, "a test");
    REQUIRE(bytes);
    return *bytes;
}

/// 12-16 is best, though no engine would play it; two others are good, one is sound, one bad.
std::string small_book() {
    return book_bytes(
        english_rules,
        {book_entry(english_rules, opening_fen,
                    {{"12-16", 7}, {"11-15", 2}, {"9-14", 1}, {"10-14", -10}, {"9-13", -60}}),
         book_entry(english_rules, "W:W21-32:B1-11,16", {{"24-20", -3}, {"21-17", -4, false}}),
         book_entry(english_rules, "W:W21-32:B1-10,12,15",
                    {{"23-19", -2, false}, {"22-17", -30}})});
}

/// The engine under a name of its own, with this book.
struct BookFixture {
    explicit BookFixture(const std::string& content = small_book())
        : file(content), dll(load(engine_copy("book_test"))) {
        CHECK(accepted(dll, "set bookfile " + file.path()) == "bookfile " + file.path());
        static_cast<void>(accepted(dll, "set book 3"));
        static_cast<void>(accepted(dll, "set allscores 0"));
        static_cast<void>(accepted(dll, "set depth 1"));
    }
    ~BookFixture() {
        for (const char* command : {"set bookfile", "set book 3", "set allscores 0",
                                    "set analysis 0", "set depth 0", "hint clear"})
            static_cast<void>(dll.command(command));
    }

    /// The move played in the position, and the status line.
    std::string play(const std::string& fen, double seconds = 0.2, int info = 0) {
        const Position position = position_of(fen);
        Call call(position);
        call.run(dll, seconds, info);
        REQUIRE(call.has_moved_legally());
        status = call.status.text();
        for (const Move& move : legal_moves(position))
            if (to_cb_board(english_rules.after(position, move)) == call.board)
                return to_text(english_rules, position, move);
        return "?";
    }
    [[nodiscard]] bool is_book_move() const { return begins_with(status, "book move  "); }

    TemporaryFile file;
    EngineDll dll;
    std::string status;
};

}  // namespace

TEST_CASE("the book's move is played at once, and the status line says what it is worth",
          "[cb][book]") {
    BookFixture f;
    const Stopwatch stopwatch;
    for (const int info : {0, exact_bit}) {
        CHECK(f.play(opening_fen, 30, info) == "12-16");
        CHECK(begins_with(f.status, "book move  value=+7  pv 12-16 24-20"));
        CHECK(contains(f.status, "depth 21"));
    }
    CHECK(stopwatch.seconds() < 20);
    // Colours make no difference, and a move that was only searched is left to the engine.
    CHECK(f.play("W:W21-32:B1-11,16") == "24-20");
    CHECK(f.is_book_move());
    CHECK(contains(f.status, "value=-3"));
    f.play("W:W21-32:B1-10,12,15");
    CHECK_FALSE(f.is_book_move());
}

TEST_CASE("book 0 to 3 choose among the moves", "[cb][book]") {
    BookFixture f;
    const auto moves_of = [&](const char* level) {
        CHECK(accepted(f.dll, std::string("set book ") + level) == std::string("book ") + level);
        CHECK(accepted(f.dll, "get book") == level);
        std::set<std::string> moves;
        for (int i = 0; i < 60; ++i) {
            moves.insert(f.play(opening_fen));
            CHECK(f.is_book_move() == (std::string_view(level) != "0"));
        }
        return moves;
    };
    CHECK(moves_of("0").size() == 1);
    CHECK(moves_of("1") == std::set<std::string>{"12-16", "11-15", "9-14", "10-14"});
    CHECK(moves_of("2") == std::set<std::string>{"12-16", "11-15", "9-14"});
    CHECK(moves_of("3") == std::set<std::string>{"12-16"});
    for (const char* wrong : {"set book 4", "set book -1", "set book", "set book x"})
        CHECK(contains(refused(f.dll, wrong), "book takes 0"));
    CHECK(accepted(f.dll, "get book") == "3");
}

TEST_CASE("where the best move must not be played no worse one is taken from the book",
          "[cb][book]") {
    constexpr const char* fen = "B:WK24,K32:BK1,K9";
    BookFixture f(
        book_bytes(english_rules, {book_entry(english_rules, fen, {{"1-6", 10}, {"9-14", -300}})}));
    for (const char* level : {"1", "2", "3"}) {
        static_cast<void>(accepted(f.dll, std::string("set book ") + level));
        CHECK(f.play(fen) == "1-6");
        CHECK(f.is_book_move());
        // 1-6 would bring a position back.
        static_cast<void>(
            accepted(f.dll, "set gamehist " + std::string(fen) + " 1-6 32-28 6-1 28-32"));
        f.play(fen);
        CHECK_FALSE(f.is_book_move());
    }
}

TEST_CASE("a seed makes the choice repeatable", "[cb][book]") {
    BookFixture f;
    static_cast<void>(accepted(f.dll, "set book 1"));
    const auto game = [&](const char* seed) {
        static_cast<void>(accepted(f.dll, std::string("set bookseed ") + seed));
        std::string moves;
        for (int i = 0; i < 12; ++i)
            moves += f.play(opening_fen) + ' ';
        return moves;
    };
    const std::string first = game("7");
    CHECK(game("7") == first);
    CHECK(game("8") != first);
    CHECK(contains(refused(f.dll, "set bookseed x"), "whole number"));
}

TEST_CASE("nothing comes from the book in analysis or against hints", "[cb][book]") {
    BookFixture f;
    static_cast<void>(accepted(f.dll, "set allscores 1"));
    f.play(opening_fen);
    CHECK_FALSE(f.is_book_move());
    CHECK(contains(f.status, "all"));
    static_cast<void>(accepted(f.dll, "set allscores 0"));

    static_cast<void>(accepted(f.dll, "set analysis 1"));
    f.play(opening_fen);
    CHECK_FALSE(f.is_book_move());
    static_cast<void>(accepted(f.dll, "set analysis 0"));

    Call endless(position_of(opening_fen));
    {
        CallBeside beside(endless, f.dll, until_told);
        beside.wait_until_searching();
        CHECK_FALSE(begins_with(endless.status.text(), "book move"));
        beside.interrupt();
    }
    CHECK_FALSE(begins_with(endless.status.text(), "book move"));

    static_cast<void>(accepted(f.dll, std::string("searchmoves 9-13 10-15 fen ") + opening_fen));
    const std::string among = f.play(opening_fen);
    CHECK((among == "9-13" || among == "10-15"));
    CHECK_FALSE(f.is_book_move());
    static_cast<void>(accepted(f.dll, std::string("bookmove 11-15 fen ") + opening_fen));
    f.play(opening_fen);
    CHECK_FALSE(f.is_book_move());
    // Hints are used once.
    CHECK(f.play(opening_fen) == "12-16");
}

TEST_CASE("hinted moves that are ignored leave the book in use", "[cb][book]") {
    BookFixture f;
    static_cast<void>(accepted(f.dll, "set hintpolicy ignore"));
    static_cast<void>(accepted(f.dll, std::string("bookmove 11-15 fen ") + opening_fen));
    CHECK(f.play(opening_fen) == "12-16");
    CHECK(f.is_book_move());
    static_cast<void>(accepted(f.dll, std::string("searchmoves 9-13 10-15 fen ") + opening_fen));
    f.play(opening_fen);
    CHECK_FALSE(f.is_book_move());
    static_cast<void>(accepted(f.dll, "set hintpolicy verify"));
}

#ifndef _WIN32  // which does not let anybody change a book in use
TEST_CASE("a book that is set again is read again", "[cb][book]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/mine.book";
    folder.write("mine.book", small_book());
    BookFixture f;
    REQUIRE(accepted(f.dll, "set bookfile " + path) == "bookfile " + path);
    CHECK(f.play(opening_fen) == "12-16");
    std::filesystem::remove(path);
    CHECK(contains(refused(f.dll, "set bookfile " + path), "cannot be opened"));
    folder.write("mine.book", book_bytes(english_rules,
                                         {book_entry(english_rules, opening_fen, {{"10-14", 3}})}));
    CHECK(accepted(f.dll, "set bookfile " + path) == "bookfile " + path);
    CHECK(f.play(opening_fen) == "10-14");
}
#endif

TEST_CASE("a move of the book that repeats a position is not played", "[cb][book]") {
    constexpr const char* kings = "B:WK32:BK1";
    BookFixture f(
        book_bytes(english_rules, {book_entry(english_rules, kings, {{"1-5", 9}, {"1-6", 8}})}));
    static_cast<void>(accepted(f.dll, "set enable_wld 0"));
    CHECK(f.play(kings) == "1-5");
    // The king comes from 5: going back there makes the position that has been.
    static_cast<void>(accepted(f.dll, "set gamehist W:WK32:BK5 32-28 5-1 28-32"));
    CHECK(f.play(kings) == "1-6");
    CHECK(f.is_book_move());
    static_cast<void>(accepted(f.dll, "set enable_wld 1"));
}

TEST_CASE("a damaged or foreign book is refused by name, and the old one stays",
          "[cb][book][hostile]") {
    BookFixture f;
    const TemporaryFile text("this is no book");
    const TemporaryFile italian(book_bytes(
        rules_of<Italian>, {book_entry(rules_of<Italian>, "W:W21-32:B1-12", {{"21-17", 0}})}));
    std::string bytes = small_book();
    bytes[100] ^= 1;
    const TemporaryFile damaged(bytes);
    for (const TemporaryFile* file : {&text, &italian, &damaged}) {
        const std::string answer = refused(f.dll, "set bookfile " + file->path());
        CHECK(contains(answer, file->path()));
        CHECK(accepted(f.dll, "get bookfile") == f.file.path());
        CHECK(f.play(opening_fen) == "12-16");
    }
    CHECK(contains(refused(f.dll, "set bookfile " + std::string(251, 'x')), "250 characters"));
    CHECK(contains(accepted(f.dll, "about"), "opening book: 3 positions in "));
    CHECK(accepted(f.dll, "set bookfile") == "bookfile ");
    CHECK(accepted(f.dll, "get bookfile").empty());
    CHECK(contains(accepted(f.dll, "about"), "opening book: none"));
    f.play(opening_fen);
    CHECK_FALSE(f.is_book_move());
}

TEST_CASE("a book beside the engine is found without any setting", "[cb][book]") {
    const TemporaryFolder folder;
    std::filesystem::copy_file(engine_copy("book_test"), folder.path() + "/own_folder_engine.dll");
    const EngineDll dll = load(folder.path() + "/own_folder_engine.dll");
    CHECK(contains(accepted(dll, "about"), "opening book: none"));
    CHECK(accepted(dll, "get book") == "3");
    CHECK(accepted(dll, "get bookfile").empty());
    for (const char* name : {"books", "defiance"})
        std::filesystem::create_directory(folder.path() + "/" + name);
    // Copied while the engine runs, which finds a half of it first.
    folder.write("books/english.book", small_book().substr(0, small_book().size() / 2));
    CHECK(contains(accepted_in_time(dll, "about"), "opening book: none; "));
    folder.write("books/english.book", small_book());
    CHECK(contains(accepted_in_time(dll, "about"), "3 positions in "));
    Call call(position_of(opening_fen));
    call.run(dll, 0.1);
    CHECK(begins_with(call.status.text(), "book move  value=+7"));

    // CheckerBoard sends only the name of a file that the user has chosen.
    folder.write(
        "defiance/mine.book",
        book_bytes(english_rules, {book_entry(english_rules, opening_fen, {{"10-14", 3}})}));
    CHECK(accepted(dll, "set bookfile mine.book") == "bookfile mine.book");
    CHECK(accepted(dll, "set bookfile \"mine.book\"") == "bookfile mine.book");
    CHECK(contains(accepted(dll, "about"), "1 positions in "));
    CHECK(contains(refused(dll, "set bookfile yours.book"), "yours.book"));
    CHECK(accepted(dll, "set bookfile") == "bookfile ");
}

TEMPLATE_TEST_CASE("each engine plays from the book of its game", "[cb][book][games]",
                   DEFIANCE_EVERY_GAME) {
    const GameRules& rules = rules_of<TestType>;
    const EngineDll dll = load(game_engine_copy(std::string(rules.file_word)));
    const Position start = rules.start_position();
    MoveList moves;
    rules.generate_moves(start, moves);
    const Move wanted = moves[moves.size() - 1];
    const TemporaryFile file(book_bytes(rules, {{start, {{wanted, -1, 9, 99}}}}));
    static_cast<void>(accepted(dll, "set bookfile " + file.path()));
    for (const int level : {1, 2, 3}) {
        static_cast<void>(accepted(dll, "set book " + std::to_string(level)));
        Call call(start);
        call.run(dll, 0.05);
        CHECK(begins_with(call.status.text(), "book move  value=-1  pv "));
        CHECK(call.board == to_cb_board(rules.after(start, wanted)));
    }
    static_cast<void>(accepted(dll, "set bookfile"));
}
