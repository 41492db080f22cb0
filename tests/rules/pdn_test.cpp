#include <defiance/rules/pdn.hpp>

#include <catch2/catch.hpp>

#include <string>

#include "random_position.hpp"

using namespace defiance;
using namespace defiance::testing;

namespace {

std::vector<PdnGame> games_of(std::string_view text) {
    PdnReader reader(text);
    std::vector<PdnGame> games;
    while (const auto game = reader.next())
        games.push_back(*game);
    CHECK_FALSE(reader.next());
    return games;
}

/// The only game of the text: its moves with spaces between, then its result.
std::string summary_of(std::string_view text) {
    const std::vector<PdnGame> games = games_of(text);
    if (games.size() != 1) return std::to_string(games.size()) + " games";
    std::string summary;
    for (const PdnMove& move : games[0].moves)
        summary += std::string(move.text) + ' ';
    return summary + std::string(games[0].result);
}

}  // namespace

TEST_CASE("a game has tags, moves and a result", "[rules][pdn]") {
    const auto games = games_of(
        "[Event \"A match\"]\n[Black \"M. Tinsley\"]\n[Result \"1-0\"]\n"
        "1. 11-15 23-19 2. 8-11 22-17 1-0\n");
    REQUIRE(games.size() == 1);
    const PdnGame& game = games[0];
    CHECK(game.tags.size() == 3);
    CHECK(game.tag("Black") == "M. Tinsley");
    CHECK(game.tag("black") == "M. Tinsley");
    CHECK_FALSE(game.tag("White"));
    CHECK(game.moves.size() == 4);
    CHECK(game.moves[1].text == "23-19");
    CHECK(game.moves[1].line == 4);
    CHECK(game.result == "1-0");
    CHECK(game.problem.empty());
    CHECK(game.line == 1);
}

TEST_CASE("a text without games has none", "[rules][pdn]") {
    for (const char* text : {"", " \r\n\t", "{only a comment}", "; a line", "% a line", "12.",
                             "1. 2. 3", "1-0", "* * 1/2-1/2", "()", "$5 ! ?", "\xEF\xBB\xBF"})
        CHECK(games_of(text).empty());
}

TEST_CASE("a game ends with its result or where tags begin", "[rules][pdn]") {
    const auto games = games_of(
        "11-15 *\n9-13 22-18 0-1 10-14\n[Event \"x\"]\n11-16\n[Event \"y\"]\n[Round \"2\"] "
        "1/2-1/2\n");
    REQUIRE(games.size() == 5);
    CHECK(games[0].result == "*");
    CHECK(games[1].moves.size() == 2);
    CHECK(games[2].moves.size() == 1);
    CHECK(games[2].result.empty());
    CHECK(games[3].tag("Event") == "x");
    CHECK(games[3].moves.size() == 1);
    CHECK(games[4].tag("Event") == "y");
    CHECK(games[4].tag("Round") == "2");
    CHECK(games[4].moves.empty());
    CHECK(games[4].result == "1/2-1/2");
    CHECK(games[4].line == 5);
}

TEST_CASE("games that have only tags are told apart", "[rules][pdn]") {
    const auto listed = games_of(
        "[Event \"a\"]\n[FEN \"W:W27:B1\"]\n\n[Event \"b\"]\n[FEN \"B:W32:B1\"]\n\n"
        "[Event \"c\"]\n1. 11-15 *\n");
    REQUIRE(listed.size() == 3);
    CHECK(listed[0].tag("FEN") == "W:W27:B1");
    CHECK(listed[0].line == 1);
    CHECK(listed[1].tag("Event") == "b");
    CHECK(listed[1].tag("FEN") == "B:W32:B1");
    CHECK(listed[1].line == 4);
    CHECK(listed[2].tag("Event") == "c");
    CHECK_FALSE(listed[2].tag("FEN"));
    CHECK(listed[2].moves.size() == 1);
    CHECK(listed[2].line == 7);
    // By a name that comes again, whatever stands between.
    const auto dense =
        games_of("[FEN \"a\"][FEN \"b\"]\n[fen \"c\"] {d} 1.\n[Round \"1\"]\n[FEN \"e\"]");
    REQUIRE(dense.size() == 4);
    CHECK(dense[1].tag("FEN") == "b");
    CHECK(dense[2].tag("Round") == "1");
    CHECK(dense[3].tag("FEN") == "e");
    CHECK(dense[3].line == 4);
    // By Event behind an empty line, with every kind of line end.
    for (const char* end : {"\n", "\r\n", "\r", " \t\n"}) {
        const std::string e = end;
        for (const std::string& between : {e + e, e + "{a}" + e + e, e + e + "{b}" + e}) {
            const std::string text =
                "[FEN \"W:W27:B1\"]" + between + "[Event \"x\"]" + e + "11-15 1-0";
            const auto games = games_of(text);
            REQUIRE(games.size() == 2);
            CHECK(games[0].moves.empty());
            CHECK_FALSE(games[1].tag("FEN"));
            CHECK(games[1].moves.size() == 1);
        }
    }
}

TEST_CASE("an empty line among the tags of a game divides nothing", "[rules][pdn]") {
    const auto tags = [](std::string_view text) {
        const auto games = games_of(text);
        REQUIRE(games.size() == 1);
        CHECK(games[0].moves.size() == 1);
        return games[0].tags.size();
    };
    CHECK(tags("[Event \"a\"]\n\n[Black \"b\"]\n \n\n[FEN \"c\"]\n\n11-15 1-0") == 3);
    CHECK(tags("\n\n[Event \"a\"]\r\n\r\n[Black \"b\"]\r\n11-15") == 2);
    // Event is not always the first.
    for (const char* end : {"", " ", "\n", "\r\n", "\r", "\n{a}\n"})
        CHECK(tags("[Site \"a\"]" + std::string(end) + "[Event \"b\"]\n11-15 1-0") == 2);
}

TEST_CASE("every result is known and is told from moves", "[rules][pdn]") {
    for (const char* result : {"1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1", "0-0"}) {
        CHECK(summary_of("11-15 " + std::string(result)) == "11-15 " + std::string(result));
        CHECK(summary_of("1.11-15 2." + std::string(result)) == "11-15 " + std::string(result));
        CHECK(summary_of("11-15 " + std::string(result) + "{end}") ==
              "11-15 " + std::string(result));
    }
    for (const char* result : {"1/2", "\xC2\xBD-\xC2\xBD", "\xBD-\xBD", "\xC2\xBD", "2:0", "1:1",
                               "0:2", "1:0", "0:1", "0.5-0.5", "0,5-0,5",
                               "1\xE2\x80\x93"
                               "0",
                               "1/2:1/2"}) {
        INFO(result);
        CHECK(summary_of("11-15 " + std::string(result)) == "11-15 " + std::string(result));
        CHECK(half_points_of_first(result));
    }
    for (const char* win : {"1-0", "2-0", "2:0",
                            "1\xE2\x80\x93"
                            "0"})
        CHECK(half_points_of_first(win) == 2);
    for (const char* loss : {"0-1", "0-2", "0:1"})
        CHECK(half_points_of_first(loss) == 0);
    for (const char* draw : {"1/2-1/2", "1/2", "1-1", "1:1", "0.5-0.5", "\xC2\xBD-\xC2\xBD"})
        CHECK(half_points_of_first(draw) == 1);
    for (const char* none :
         {"", "*", "?", "h-h", "h", "1-5", "2-1", "1", "white", "1-0 1-0 1-0 1-0 1-0 1-0 1-0"})
        CHECK_FALSE(half_points_of_first(none));
    CHECK(summary_of("1-5 1-10 10-1 2-11") == "1-5 1-10 10-1 2-11 ");
    CHECK(summary_of("1x10 0-11 1-0x") == "1x10 0-11 1-0x ");
}

TEST_CASE("numbers of moves may stand anywhere, glued or apart", "[rules][pdn]") {
    CHECK(summary_of("1. 11-15 1... 23-19") == "11-15 23-19 ");
    CHECK(summary_of("1.11-15 23-19 2.8-11") == "11-15 23-19 8-11 ");
    CHECK(summary_of("12...11-15") == "11-15 ");
    CHECK(summary_of("1 11-15 23-19 2 8-11") == "11-15 23-19 8-11 ");
    CHECK(summary_of("1 . 11-15 ... 23-19 ...8-11") == "11-15 23-19 8-11 ");
    CHECK(summary_of("999. 11-15 1000. 8-11 1001.23-19 12345... 22-17") ==
          "11-15 8-11 23-19 22-17 ");
    CHECK(summary_of("123456789012345678901234567890. 11-15") == "11-15 ");
    CHECK(summary_of("123456789012345678901234567890.11-15") == "11-15 ");
}

TEST_CASE("a move without its hyphen is no number", "[rules][pdn]") {
    CHECK(summary_of("1. 1115 2319 *") == "1115 2319 *");
    CHECK(summary_of("1.1115 *") == "1.1115 *");
    CHECK(summary_of("1. 11.15 23.19 *") == "11.15 23.19 *");
    CHECK(summary_of("1. 1000 11-15 1000.15 *") == "1000 11-15 1000.15 *");
    CHECK(summary_of("1.12345678901234567890 *") == "1.12345678901234567890 *");
}

TEST_CASE("a draw may have blanks about its hyphen", "[rules][pdn]") {
    for (const std::string half : {"1/2", "\xC2\xBD", "\xBD"})
        for (const char* hyphen : {" - ", " -", "- ", "\t \xE2\x80\x93  ", "-                  "}) {
            const std::string draw = half + hyphen + half;
            INFO(draw);
            CHECK(half_points_of_first(draw) == 1);
            for (const char* end : {"", " ", "\n", "{end}"}) {
                CHECK(summary_of("11-15 " + draw + end) == "11-15 " + draw);
                CHECK(summary_of("1.11-15 2." + draw + end) == "11-15 " + draw);
            }
            const std::string text = "11-15 " + draw + "\n\n9-13 *";
            const auto games = games_of(text);
            REQUIRE(games.size() == 2);
            CHECK(games[1].line == 3);
        }
    // What is more is of the next game.
    CHECK(games_of("11-15 1/2 -").size() == 2);
    CHECK(games_of("11-15 1/2 9-13").size() == 2);
    CHECK(games_of("11-15 1/2 - 1/20").size() == 2);
    CHECK(games_of("11-15 1/2\n- 1/2").size() == 2);
}

TEST_CASE("marks of strength are left out", "[rules][pdn]") {
    CHECK(summary_of("11-15! 23-19?? 8-11!? 22-17 !! 4-8* $14 25-22$2 9-14 (!) 1-0") ==
          "11-15 23-19 8-11 22-17 4-8 25-22 9-14 1-0");
}

TEST_CASE("comments are passed over", "[rules][pdn]") {
    CHECK(summary_of("11-15{good} 23-19 {1-0 [Event \"no\"] ( ; \n 8-11} 22-17 *") ==
          "11-15 23-19 22-17 *");
    CHECK(summary_of("11-15 ; 23-19 { ( 1-0\n8-11") == "11-15 8-11 ");
    CHECK(summary_of("11-15 ;x\r8-11;\r\n22-17") == "11-15 8-11 22-17 ");
    CHECK(summary_of("% 1-0 {\n11-15\n%{\r\n8-11 %x") == "11-15 8-11 %x ");
    CHECK(summary_of("{a}{b}11-15 } ) ] 8-11") == "11-15 8-11 ");
}

TEST_CASE("variations are passed over however deep they are", "[rules][pdn]") {
    CHECK(summary_of("11-15 (11-16 24-20 (23-19 {)} 1-0) 8-11) 23-19 *") == "11-15 23-19 *");
    CHECK(summary_of("11-15 (9-13 ; )\n 22-18) 23-19") == "11-15 23-19 ");
    CHECK(summary_of("11-15(9-13)23-19") == "11-15 23-19 ");
}

TEST_CASE("a variation or comment without end is a problem of the game", "[rules][pdn]") {
    const auto lost = games_of("11-15 {no end\n[Event \"x\"]\n9-13 1-0");
    REQUIRE(lost.size() == 1);
    CHECK(lost[0].problem == "a comment has no end");
    CHECK(lost[0].moves.size() == 1);
    const auto saved = games_of("11-15 (9-13\n[Event \"x\"]\n9-13 1-0");
    REQUIRE(saved.size() == 2);
    CHECK(saved[0].problem == "a variation has no end");
    CHECK(saved[1].problem.empty());
    CHECK(saved[1].tag("Event") == "x");
    const auto alone = games_of("1-0 {");
    REQUIRE(alone.size() == 1);
    CHECK(alone[0].problem == "a comment has no end");
}

TEST_CASE("a comment without end loses no game that follows behind an empty line", "[rules][pdn]") {
    for (const char* end : {"\n", "\r\n", "\r", " \t\n"}) {
        const std::string e = end;
        // What games are read from has to outlive them.
        const std::string text = "[Event \"x\"]" + e + "1. 11-15 {a" + e + e + "[Event \"y\"]" + e +
                                 "1. 9-14 22-18 {b} *" + e + e + "[Event \"z\"]" + e + "1. 9-14 *";
        const auto games = games_of(text);
        REQUIRE(games.size() == 3);
        CHECK(games[0].problem == "a comment has no end");
        CHECK(games[0].moves.size() == 1);
        CHECK(games[1].tag("Event") == "y");
        CHECK(games[1].problem.empty());
        CHECK(games[1].moves.size() == 2);
        CHECK(games[2].tag("Event") == "z");
    }
    // Within a variation, too.
    const auto varied = games_of("9-13 (11-15 {a\n\n[Event \"y\"]\n9-14 {b} *");
    REQUIRE(varied.size() == 2);
    CHECK(varied[0].problem == "a comment has no end");
    // What only looks a little like a tag is of the comment.
    for (const char* inside : {"\n\n[a]", "\n[Event \"y\"]", "\n\n [Event \"y\"]", "\n\n[\"y\"]",
                               "\n\n[Event y]", "\n\na\n[Event \"y\"]", "\r\n[Event \"y\"]"})
        CHECK(summary_of("11-15 {" + std::string(inside) + "} 23-19 *") == "11-15 23-19 *");
}

TEST_CASE("a comment may hold a game", "[rules][pdn]") {
    const std::string inside = "commented out:\n\n[Event \"b\"]\n[Result \"1-0\"]\n";
    CHECK(summary_of("1. 11-15 { " + inside + "} 23-18 2. 8-11 *") == "11-15 23-18 8-11 *");
    CHECK(summary_of("11-15 {" + inside + "\n" + inside + "9-14 *\n} 23-18 {c} 8-11 *") ==
          "11-15 23-18 8-11 *");
    // Another comment or the end of the file comes first.
    for (const char* rest : {"9-14 {c} *", "9-14 *"}) {
        const std::string text = "11-15 {" + inside + rest;
        const auto games = games_of(text);
        REQUIRE(games.size() == 2);
        CHECK(games[0].problem == "a comment has no end");
        CHECK(games[1].tag("Result") == "1-0");
    }
}

TEST_CASE("tags are read even when they are not quite right", "[rules][pdn]") {
    const auto tag = [](std::string_view text, std::string_view name) {
        const auto games = games_of(text);
        return games.size() == 1 ? std::string(games[0].tag(name).value_or("(none)"))
                                 : std::string("(no game)");
    };
    CHECK(tag("[Event \"x\"][Site \"y\"]", "Site") == "y");
    CHECK(tag("[ Event   \" x y \" ]", "Event") == "x y");
    CHECK(tag("[Event \"\"]", "Event").empty());
    CHECK(tag("[Event \"the \"great\" match\"]", "Event") == "the \"great\" match");
    CHECK(tag("[Event \"a [b] {c} ; %\"]", "Event") == "a [b] {c} ; %");
    CHECK(tag("[Event x y]", "Event") == "x y");
    CHECK(tag("[Event]", "Event").empty());
    CHECK(tag("[Event \"no end\n[Site \"y\"]", "Event") == "no end");
    CHECK(tag("[Event \"no end\n[Site \"y\"]", "Site") == "y");
    CHECK(tag("[Event \"no bracket\"\r\n[Site \"y\"]", "Event") == "no bracket");
    CHECK(tag("[\"x\"] 11-15", "Event") == "(none)");
    CHECK(tag("[FEN \"W:W31:B1\"", "fen") == "W:W31:B1");
    CHECK(tag("[", "x") == "(no game)");
    CHECK(tag("[]", "x") == "(no game)");
}

TEST_CASE("lines are counted with every kind of line end", "[rules][pdn]") {
    for (const char* end : {"\n", "\r\n", "\r"}) {
        const std::string e = end;
        const auto games = games_of(e + e + "[Event \"x\"]" + e + "11-15 {" + e + "}" + e +
                                    "8-11 1-0" + e + "9-13");
        REQUIRE(games.size() == 2);
        CHECK(games[0].line == 3);
        CHECK(games[0].moves[0].line == 4);
        CHECK(games[0].moves[1].line == 6);
        CHECK(games[1].line == 7);
    }
}

TEST_CASE("a byte order mark before the first tag does no harm", "[rules][pdn]") {
    CHECK(games_of("\xEF\xBB\xBF[Event \"x\"] *").at(0).tag("Event") == "x");
}

TEST_CASE("words that are no moves are handed on as they are", "[rules][pdn]") {
    CHECK(summary_of("8-11Redresigned. c3-d4 1-0") == "8-11Redresigned. c3-d4 1-0");
}

TEST_CASE("a game that is too large is cut and says so", "[rules][pdn]") {
    std::string moves;
    for (std::size_t i = 0; i < PdnReader::max_moves + 5; ++i)
        moves += "11-15 ";
    const std::string text = moves + "1-0 9-13";
    const auto cut = games_of(text);
    REQUIRE(cut.size() == 2);
    CHECK(cut[0].moves.size() == PdnReader::max_moves);
    CHECK(cut[0].problem == "there are more than 65536 moves");
    CHECK(cut[1].problem.empty());
    std::string tags;
    for (std::size_t i = 0; i < PdnReader::max_tags + 5; ++i)
        tags += "[A" + std::to_string(i) + " \"b\"]";
    const auto tagged = games_of(tags);
    REQUIRE(tagged.size() == 1);
    CHECK(tagged[0].tags.size() == PdnReader::max_tags);
    CHECK(tagged[0].problem == "there are more than 256 tags");
}

TEST_CASE("megabytes of hostile text are read in one pass", "[rules][pdn]") {
    constexpr std::size_t size = 2000000;
    for (const char c : std::string("({[)}]\"$*.-1!;%\\ \n\r\0\xFF"
                                    "a",
                                    22))
        games_of(std::string(size, c));
    for (const std::string piece :
         {"(",           "{(",     "[\"",    "[a \"b", "[a\n",         "(\n[",      "[\"   ",
          "1.",          "*1",     "{}",     "()",     "1-0 ",         "[a]1-2 ",   "\"  \"  ",
          "[Event]\n\n", "[]\n\n", "1/2 - ", "1/2 ",   "1.1111111111", "[a \"\n\n", "{\n\n[a \""}) {
        std::string text;
        while (text.size() < size)
            text += piece;
        for (const std::string& whole : {text, '{' + text, '{' + text + '}'}) {
            PdnReader reader(whole);
            std::size_t games = 0;
            while (reader.next())
                ++games;
            CHECK(games <= size);
        }
    }
}

TEST_CASE("no text of random bytes breaks the reader of games", "[rules][pdn]") {
    const std::string_view alphabet = "[]{}()\"; \n\r%$!?*.-x/0123456789aE\\\xC3";
    Random random(31);
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (int length = random.below(60); length > 0; --length)
            text +=
                alphabet[static_cast<std::size_t>(random.below(static_cast<int>(alphabet.size())))];
        for (const PdnGame& game : games_of(text)) {
            const bool something =
                !game.moves.empty() || !game.tags.empty() || !game.problem.empty();
            CHECK(something);
            CHECK(game.line >= 1);
            for (const PdnMove& move : game.moves) {
                const bool inside =
                    move.text.data() >= text.data() &&
                    move.text.data() + move.text.size() <= text.data() + text.size();
                CHECK((inside && !move.text.empty()));
            }
        }
    }
}
