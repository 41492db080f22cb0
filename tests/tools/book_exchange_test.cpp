#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/pdn.hpp>
#include <tools/book/book_text.hpp>
#include <tools/book/game_counts.hpp>
#include <tools/book/user_book.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"
#include "../book/book_support.hpp"

namespace defiance {
namespace {

bool are_equal(const BookPosition& a, const BookPosition& b) {
    return a.position == b.position && a.moves == b.moves;
}

const GameRules& rules_named(std::string_view game) {
    return find_game(game)->rules;
}

std::string game_text(std::string_view result, std::string_view moves) {
    return "[Event \"test\"]\n[Result \"" + std::string(result) + "\"]\n" + std::string(moves) +
           ' ' + std::string(result) + "\n\n";
}

Move parsed_move(const GameRules& rules, const Position& position, std::string_view text) {
    const auto move = parse_move(rules, position, text);
    REQUIRE(move);
    return *move;
}

}  // namespace

TEST_CASE("lines of text give back the positions of a book", "[book]") {
    Random random(1511);
    for (const GameCore* core : built_games()) {
        std::string text = "# a remark\n\n";
        const auto positions = testing::random_book(core->rules, random, 300);
        for (const BookPosition& entry : positions)
            text += book_line(core->rules, entry) + "\r\n";
        const auto read = read_book_lines(core->rules, text);
        INFO((read ? "" : read.error()));
        REQUIRE(read);
        REQUIRE(read->size() == positions.size());
        for (std::size_t i = 0; i < positions.size(); ++i)
            REQUIRE(are_equal((*read)[i], positions[i]));
    }
    const auto line =
        read_book_lines(rules_named("english"), "W:W21-32:B1-11,16; 24-20 -3 12 77; 21-17 -14 7");
    REQUIRE(line);
    CHECK((*line)[0].moves[0].support == 77);
    CHECK((*line)[0].moves[1].score == -14);
}

TEST_CASE("a byte order mark before the lines of a book does no harm", "[book]") {
    for (const char* text :
         {"B:W21-32:B1-12; 11-15 1 2\n", "# a book\nB:W21-32:B1-12; 11-15 1 2"}) {
        const auto read =
            read_book_lines(rules_named("english"), "\xEF\xBB\xBF" + std::string(text));
        INFO((read ? "" : read.error()));
        REQUIRE(read);
        CHECK(read->size() == 1);
    }
}

TEST_CASE("a line that is none is refused with its number", "[book][hostile]") {
    const GameRules& rules = rules_named("english");
    const std::string good = "B:W21-32:B1-12; 11-15 1 2\n";
    for (const char* bad :
         {"x", "B:W21-32:B1-12", "B:W21-32:B1-12;", "B:W21-32:B1-12; 11-18 1 2",
          "B:W21-32:B1-12; 11-15", "B:W21-32:B1-12; 11-15 1", "B:W21-32:B1-12; 11-15 1 256",
          "B:W21-32:B1-12; 11-15 30001 2", "B:W21-32:B1-12; 11-15 1 2 256",
          "B:W21-32:B1-12; 11-15 1 *", "B:W21-32:B1-12; 11-15 1 2; 11-15 1 2", "B:W1:B2; 2-6 1 1",
          // Games that are over: the other side has no piece.
          "B:W:B2; 2-6 1 1", "W:WK32:B; 32-28 1 1"}) {
        INFO(bad);
        const auto read = read_book_lines(rules, good + "\n" + bad + "\n" + good);
        REQUIRE_FALSE(read);
        CHECK_THAT(read.error(), Catch::StartsWith("line 3: "));
    }
    Random random(1512);
    for (int i = 0; i < 2000; ++i) {
        std::string text = good;
        for (int changes = 1 + random.below(5); changes > 0; --changes)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        static_cast<void>(read_book_lines(rules, text));
    }
}

TEST_CASE("a user book gives back its positions and moves", "[book]") {
    Random random(1513);
    for (const GameCore* core : built_games()) {
        const auto positions = testing::random_book(core->rules, random, 200);
        const std::string bytes = make_user_book(core->rules, positions);
        CHECK(bytes.size() % 284 == 0);
        const auto read = read_user_book(core->rules, bytes);
        REQUIRE(read);
        CHECK(read->left_out == 0);
        CHECK(read->positions.size() > 150);
        std::size_t same = 0;
        for (const BookPosition& entry : read->positions)
            for (const BookPosition& wanted : positions)
                same += entry.position == wanted.position &&
                        entry.moves[0].move == wanted.moves[0].move;
        CHECK(same == read->positions.size());
    }
}

TEST_CASE("an entry of a user book is what CheckerBoard writes", "[book]") {
    const GameRules& rules = rules_named("english");
    const Position start = rules.start_position();
    const std::string bytes =
        make_user_book(rules, {{start, {{parsed_move(rules, start, "11-15"), 0, 0, true}}}});
    REQUIRE(bytes.size() == 284);
    const auto number = [&](std::size_t i) {
        std::uint32_t value = 0;
        for (std::size_t k = 4; k-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes[4 * i + k]);
        return value;
    };
    // Black men on the rows 0 to 2 from Black's side, white ones on the rows 5 to 7; no kings.
    CHECK(number(0) == 0x00000FFF);
    CHECK(number(1) == 0);
    CHECK(number(2) == 0xFFF00000);
    CHECK(number(3) == 0);
    // No jumps, a black man, from (2, 2) to (3, 3): 11 is the second square from the left there.
    CHECK(number(4) == 0);
    CHECK(number(5) == 6);
    CHECK(number(6) == 6);
    CHECK(number(7) == 2);
    CHECK(number(8) == 2);
    CHECK(number(9) == 3);
    CHECK(number(10) == 3);
}

TEST_CASE("any bytes are safe as a user book", "[book][hostile]") {
    Random random(1514);
    const GameRules& rules = rules_named("brazilian");
    const std::string good = make_user_book(rules, testing::random_book(rules, random, 20));
    CHECK_FALSE(read_user_book(rules, ""));
    CHECK_FALSE(read_user_book(rules, good.substr(1)));
    CHECK_FALSE(read_user_book(rules, std::string(284 * (max_user_book + 1), '\0')));
    std::size_t left_out = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string bytes = good;
        for (int changes = 1 + random.below(30); changes > 0; --changes)
            bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
        const auto book = read_user_book(rules, bytes);
        REQUIRE(book);
        left_out += book->left_out;
        for (const BookPosition& entry : book->positions) {
            MoveList legal;
            rules.generate_moves(entry.position, legal);
            REQUIRE(std::find(legal.begin(), legal.end(), entry.moves[0].move) != legal.end());
        }
    }
    CHECK(left_out > 1000);
}

TEST_CASE("moves that did well in games score more", "[book]") {
    const GameRules& rules = rules_named("english");
    GameCounts counts(rules, 3);
    std::string text;
    for (int i = 0; i < 10; ++i) {
        text += game_text("1-0", "1. 11-15 23-19 2. 8-11 22-17");
        text += game_text("0-1", "1. 9-13 22-18 2. 6-9 18-14");
    }
    text += game_text("1/2-1/2", "1. 12-16 24-20");
    text += game_text("1-0", "1. 11-15 33-19");
    double last = 0;
    counts.add_games(text, [&](double part) {
        CHECK((part > last && part < 1));
        last = part;
    });
    CHECK(last > 0.9);
    CHECK(counts.games() == 22);
    CHECK(counts.faults() == 1);
    const auto find = [&](std::uint32_t least, const Position& position) {
        for (const BookPosition& entry : counts.positions(least))
            if (entry.position == with_black_to_move(position)) return entry.moves;
        return std::vector<BookMove>();
    };
    const Position start = rules.start_position();
    CHECK(find(2, start).size() == 2);
    for (const BookMove& m : find(1, start)) {
        // How many games went on with it.
        CHECK(m.support == m.depth);
        if (m.move == parsed_move(rules, start, "11-15")) {
            CHECK(m.score > 50);
            CHECK(m.depth == 11);
        } else if (m.move == parsed_move(rules, start, "9-13")) {
            CHECK(m.score < -50);
        } else {
            CHECK(m.score == 0);
        }
    }
    // The other side's results are the opposite, and the fourth ply does not count.
    const Position second = rules.after(start, parsed_move(rules, start, "11-15"));
    REQUIRE(find(2, second).size() == 1);
    CHECK(find(2, second)[0].score < -50);
    CHECK(counts.positions(1).size() == 6);
}

TEST_CASE("the result of a game may stand in its tag alone", "[book]") {
    const GameRules& rules = rules_named("english");
    const auto score_in = [&](const std::string& game) {
        GameCounts counts(rules, 1);
        counts.add_games(game + "\n\n" + game);
        CHECK(counts.games() == 2);
        CHECK(counts.faults() == 0);
        const auto positions = counts.positions(2);
        REQUIRE(positions.size() == 1);
        return positions[0].moves[0].score;
    };
    // A file of PDN 3.0 ends each game with an asterisk, whatever its result.
    for (const char* end : {" *", ""}) {
        INFO(end);
        const auto score_with = [&](const char* result) {
            return score_in("[Result \"" + std::string(result) +
                            "\"]\n[GameType \"21\"]\n\n1. 11-15 23-19" + end);
        };
        CHECK(score_with("1-0") > 50);
        CHECK(score_with("2-0") > 50);
        CHECK(score_with("0-1") < -50);
        CHECK(score_with("1/2-1/2") == 0);
        CHECK(score_with("*") == 0);
    }
    CHECK(score_in("1. 11-15 23-19 *") == 0);
    // What the game ends with counts more than the tag.
    CHECK(score_in("[Result \"*\"]\n1. 11-15 23-19 1-0") > 50);
    CHECK(score_in("[Result \"0-1\"]\n1. 11-15 23-19 1-0") > 50);
}

TEST_CASE("results that are not understood are counted and make a draw", "[book]") {
    const GameRules& rules = rules_named("english");
    const auto unknown_of = [&](const std::string& result) {
        GameCounts counts(rules, 1);
        counts.add_games("[Result \"" + result + "\"]\n1. 11-15 *\n");
        REQUIRE(counts.positions(1).size() == 1);
        CHECK(counts.positions(1)[0].moves[0].score == 0);
        return counts.unknown_results();
    };
    for (const char* known :
         {"", "*", "?", "1/2", "\xC2\xBD-\xC2\xBD", "\xBD-\xBD", "1:1", "0.5-0.5"})
        CHECK(unknown_of(known) == 0);
    for (const char* unknown : {"white won", "3-1", "B+3"})
        CHECK(unknown_of(unknown) == 1);
    GameCounts counts(rules, 1);
    counts.add_games("[Result \"2:0\"]\n1. 11-15 *\n");
    CHECK(counts.positions(1)[0].moves[0].score > 0);
}

TEST_CASE("moves at positions beyond the limit are counted", "[book]") {
    const GameRules& rules = rules_named("english");
    GameCounts counts(rules, 30, 2);
    counts.add_games(game_text("1-0", "1. 11-15 23-19 2. 8-11 22-17"));
    CHECK(counts.moves_left_out() == 2);
    // What is known already goes on to count.
    counts.add_games(game_text("1-0", "1. 11-15 23-19 2. 8-11"));
    CHECK(counts.moves_left_out() == 3);
    CHECK(counts.faults() == 0);
    CHECK(counts.positions(1).size() == 2);
    CHECK(counts.positions(2).size() == 2);
    GameCounts all(rules, 30);
    all.add_games(game_text("1-0", "1. 11-15 23-19 2. 8-11 22-17"));
    CHECK(all.moves_left_out() == 0);
}

TEST_CASE("moves of many games have all support", "[book]") {
    const GameRules& rules = rules_named("english");
    GameCounts counts(rules, 1);
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += game_text("1-0", "1. 11-15");
    counts.add_games(text);
    const auto positions = counts.positions(2);
    REQUIRE(positions.size() == 1);
    CHECK(positions[0].moves[0].support == BookMove::max_support);
}

TEST_CASE("games of another kind of draughts are left out and counted apart", "[book]") {
    const auto tagged = [](const char* type) {
        return "[GameType \"" + std::string(type) + "\"]\n1. 11-15 23-19 1-0\n\n";
    };
    GameCounts counts(rules_named("english"), 30);
    counts.add_games(tagged("24") + tagged("21") + tagged("21,B,8,8,N2,0") + tagged("") +
                     tagged("25,W,8,8,A0,0"));
    CHECK(counts.games() == 5);
    CHECK(counts.of_other_games() == 3);
    CHECK(counts.other_game_type() == "24");
    CHECK(counts.faults() == 0);
    REQUIRE(counts.positions(1).size() == 2);
    CHECK(counts.positions(2).size() == 2);
    CHECK(counts.positions(3).empty());
}

TEST_CASE("a game that begins where a side has no piece is a fault", "[book]") {
    const GameRules& rules = rules_named("english");
    GameCounts counts(rules, 30);
    counts.add_games(
        "[FEN \"B:W:B2\"]\n1. 2-6 1-0\n\n[FEN \"W:W32,31:B28\"]\n1. 32-27 28-32 2. 31-26 *\n\n");
    CHECK(counts.games() == 2);
    CHECK(counts.faults() == 1);
    // What is accepted makes a book without damage.
    const auto bytes = make_book(rules, counts.positions(1), "games");
    REQUIRE(bytes);
    const TemporaryFile file(*bytes);
    const auto book = OpeningBook::open(rules, file.path());
    REQUIRE(book);
    CHECK(book->positions() == 3);
    CHECK_FALSE(book->for_each([](const BookPosition&) { return true; }));
}

TEST_CASE("any text is safe as games", "[book][hostile]") {
    Random random(1515);
    const std::string good = game_text("1-0", "1. 11-15 23-19 2. 8-11 22-17 {a} (b) $1");
    for (int i = 0; i < 2000; ++i) {
        std::string text = good + good;
        for (int changes = 1 + random.below(6); changes > 0; --changes)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        GameCounts counts(rules_named("english"), 30);
        counts.add_games(text);
        CHECK(counts.positions(1).size() <= 8);
    }
}

}  // namespace defiance
