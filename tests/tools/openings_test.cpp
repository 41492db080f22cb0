#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>

#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <tools/support/openings.hpp>

#include "../base/temporary.hpp"
#include "../every_game.hpp"

using namespace defiance;

namespace {

template <class Rules>
std::string problem_of(std::string_view text) {
    const Result<std::vector<Opening>> openings = read_openings(rules_of<Rules>, text);
    return openings ? "" : openings.error();
}

}  // namespace

TEST_CASE("the three-move deck holds 174 openings, no two of one position", "[tools][openings]") {
    const std::vector<Opening> deck = three_move_openings();
    CHECK(deck.size() == 174);
    std::set<std::string> positions;
    for (const Opening& opening : deck) {
        positions.insert(to_fen(rules_of<English>, opening.position));
        CHECK(opening.position.side == Side::white);
    }
    CHECK(positions.size() == deck.size());
    CHECK(deck.front().name == "9-13 21-17 5-9");
    const auto double_corner = std::find_if(
        deck.begin(), deck.end(), [](const Opening& o) { return o.name == "9-14 22-18 5-9"; });
    REQUIRE(double_corner != deck.end());
    CHECK(to_fen(rules_of<English>, double_corner->position) ==
          "W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,9,10,11,12,14");
}

TEMPLATE_TEST_CASE("only English has three-move openings", "[tools][openings]",
                   DEFIANCE_EVERY_GAME) {
    CHECK(has_three_move_openings(rules_of<TestType>) == std::is_same_v<TestType, English>);
}

TEMPLATE_TEST_CASE("11-man ballots lack a man of each colour and threaten nothing",
                   "[tools][openings]", DEFIANCE_EVERY_GAME) {
    const std::vector<Position> ballots = eleven_man_ballots(rules_of<TestType>);
    CHECK(ballots.size() == 144);
    for (const Position& p : ballots) {
        CHECK(count(p.black) == 11);
        CHECK(count(p.white) == 11);
        CHECK(p.side == TestType::first_side);
        CHECK_FALSE(can_capture<TestType>(p));
    }
}

TEST_CASE("openings are read line by line", "[tools][openings]") {
    const auto openings = read_openings(
        rules_of<English>, "# a comment\n\n9-14 22-18\r\nW:WK12,27:B21,K24.\n  11-15  \nB:W32:B1");
    REQUIRE(openings);
    REQUIRE(openings->size() == 4);
    CHECK((*openings)[0].name == "9-14 22-18");
    CHECK((*openings)[0].position.side == Side::black);
    CHECK(to_fen(rules_of<English>, (*openings)[1].position) == "W:W27,K12:B21,K24");
    CHECK((*openings)[2].position.side == Side::white);
    CHECK(to_fen(rules_of<English>, (*openings)[3].position) == "B:W32:B1");
    const auto russian = read_openings(rules_of<Russian>, "c3-d4 d6-c5\nW:Wc3:Bf6\n");
    REQUIRE(russian);
    CHECK(russian->size() == 2);
}

TEST_CASE("openings are read from games", "[tools][openings]") {
    const auto openings =
        read_openings(rules_of<English>,
                      "[Event \"first\"]\n1. 9-14 22-18 *\n\n[FEN \"W:W27:B1\"] *\n"
                      "[Event \"third\"]\n[FEN \"B:W32:B1\"]\n1. 1-5 *\n");
    REQUIRE(openings);
    REQUIRE(openings->size() == 3);
    CHECK((*openings)[0].name == "first");
    CHECK((*openings)[1].name == "game 2");
    CHECK(to_fen(rules_of<English>, (*openings)[1].position) == "W:W27:B1");
    CHECK(to_fen(rules_of<English>, (*openings)[2].position) == "W:W32:B5");
}

TEST_CASE("games without tags are games, and lines of moves may have numbers",
          "[tools][openings]") {
    const auto count_in = [](std::string_view text) {
        const auto openings = read_openings(rules_of<English>, text);
        INFO((openings ? "" : openings.error()));
        REQUIRE(openings);
        return openings->size();
    };
    CHECK(count_in("1. 11-15 23-19 *") == 1);
    CHECK(count_in("1. 11-15 23-19 *\n1. 9-14\n22-18 1/2-1/2\n") == 2);
    CHECK(count_in("1. 11-15 23-19\n2. 8-11 22-17\n") == 1);
    CHECK(count_in("1. 11-15 23-19 2. 8-11\n1.9-14 22-18\n9-13\n") == 3);
    CHECK(problem_of<English>("1. 11.15\n") == "line 1: '11.15' is not a move");
    CHECK(problem_of<English>("1. 1115 *\n").ends_with("'1115' is not a move"));
}

TEST_CASE("a numbered list of openings is no game", "[tools][openings]") {
    const auto openings =
        read_openings(rules_of<English>, "1. 11-15 23-18\n2. 9-14 22-17\n\n3.10-15\n");
    INFO((openings ? "" : openings.error()));
    REQUIRE(openings);
    REQUIRE(openings->size() == 3);
    CHECK((*openings)[1].name == "2. 9-14 22-17");
    CHECK((*openings)[2].position.side == Side::white);
}

TEST_CASE("a fault in a game without tags has its line", "[tools][openings]") {
    CHECK(problem_of<English>("1. 11-15 23-19\n2. 8-11 22-17\n3. 8-11 *\n") ==
          "game 1 on line 1: line 3: '8-11' is not a legal move");
    CHECK(problem_of<English>("1. 11-15 *\n\n1. 11-15 23-19\n2. 1115\n") ==
          "game 2 on line 3: line 4: '1115' is not a move");
}

TEST_CASE("a file of openings that is no text is refused", "[tools][openings]") {
    const auto problem = [](const std::string& content) {
        const TemporaryFile file(content);
        const auto openings = read_openings_file(rules_of<English>, file.path());
        return openings ? "" : openings.error();
    };
    const std::string wide("9\0-\0001\0004\0", 8);
    CHECK(problem("\xFF\xFE" + wide).ends_with("' is not text; save it as UTF-8"));
    CHECK(problem("\xFE\xFF" + wide).ends_with("' is not text; save it as UTF-8"));
    CHECK(problem("9-14" + wide).ends_with("' is not text"));
    CHECK(problem("9-14\n").empty());
}

TEST_CASE("openings are read from games without moves and results", "[tools][openings]") {
    const auto openings =
        read_openings(rules_of<English>,
                      "[Event \"first\"]\n[FEN \"W:W27:B1\"]\n\n[Event \"second\"]\n"
                      "[FEN \"B:W32:B1\"]\n\n[Event \"third\"]\n\n1. 9-14\n");
    REQUIRE(openings);
    REQUIRE(openings->size() == 3);
    CHECK(to_fen(rules_of<English>, (*openings)[0].position) == "W:W27:B1");
    CHECK((*openings)[1].name == "second");
    CHECK(to_fen(rules_of<English>, (*openings)[1].position) == "B:W32:B1");
    CHECK((*openings)[2].position.side == Side::white);
    CHECK((*openings)[2].position.occupied() != (*openings)[0].position.occupied());
}

TEST_CASE("a bracket within a line makes no games of a list", "[tools][openings]") {
    const auto lines = read_openings(rules_of<English>, "# by [nobody]\n9-14 22-18\nB:W32:B1\n");
    INFO((lines ? "" : lines.error()));
    REQUIRE(lines);
    CHECK(lines->size() == 2);
    for (const char* text : {" \t[FEN \"W:W27:B1\"]", "% a list\r [FEN \"W:W27:B1\"]\r"}) {
        const auto games = read_openings(rules_of<English>, text);
        INFO((games ? "" : games.error()));
        REQUIRE(games);
        CHECK(to_fen(rules_of<English>, games->front().position) == "W:W27:B1");
    }
}

TEST_CASE("a byte order mark before openings does no harm", "[tools][openings]") {
    const std::string mark = "\xEF\xBB\xBF";
    for (const char* text : {"B:W32:B1\n", "1-5", "[FEN \"W:W32:B5\"]", "# a list\n9-14 22-18\n"}) {
        const std::string problem = problem_of<English>(mark + text);
        CHECK(problem == problem_of<English>(text));
        CHECK(problem.find(mark) == std::string::npos);
    }
    CHECK(problem_of<English>(mark + "B:W32:B1\n").empty());
}

TEST_CASE("faulty openings are refused with their place", "[tools][openings]") {
    CHECK(problem_of<English>("") == "there is no opening in it");
    CHECK(problem_of<English>("# nothing\n") == "there is no opening in it");
    CHECK(problem_of<English>("9-14\n9-9\n") == "line 2: '9-9' is not a legal move");
    CHECK(problem_of<English>("W:W1:B2\n").find("line 1: ") == 0);
    CHECK(problem_of<English>("B:W32:B\n") == "line 1: the side to move has no move");
    CHECK(problem_of<English>("[FEN \"x\"] *").find("game 1 on line 1: FEN: ") == 0);
    CHECK(problem_of<English>("[Event \"a\"] 1. 9-14 9-14 *").find("game 1 on line 1: '9-14'") ==
          0);
    CHECK(problem_of<Italian>("c3-d4\n").find("line 1: ") == 0);
}

TEST_CASE("a FEN among openings may have blanks", "[tools][openings]") {
    const auto openings =
        read_openings(rules_of<English>, "B:W31, K32 : B1,10\n w : wk32 : b1\n11-15 22-18\n");
    INFO((openings ? "" : openings.error()));
    REQUIRE(openings);
    REQUIRE(openings->size() == 3);
    CHECK(to_fen(rules_of<English>, (*openings)[0].position) == "B:W31,K32:B1,10");
    CHECK((*openings)[1].position.side == Side::white);
}

TEST_CASE("openings of another game are refused", "[tools][openings]") {
    const std::string russian = "[Event \"x\"]\n[GameType \"25,W,8,8,A0,0\"]\n\n*\n";
    CHECK(problem_of<Brazilian>(russian).find(
              "GameType '25,W,8,8,A0,0' is not Brazilian; say --game russian") !=
          std::string::npos);
    CHECK(problem_of<Brazilian>("[GameType \"20\"]\n\n*\n").ends_with("'20' is not Brazilian"));
    CHECK(problem_of<Russian>(russian).empty());
    CHECK(problem_of<English>("[GameType \"ENGLISH\"]\n\n*\n")
              .ends_with("GameType takes a number, 21 for English, not 'ENGLISH'"));
}

TEST_CASE("openings are named by a word or a file", "[tools][openings]") {
    const auto count_of = [](const GameRules& rules, std::string_view word) {
        const auto openings = openings_named(rules, word);
        INFO((openings ? "" : openings.error()));
        REQUIRE(openings);
        CHECK(openings->file.empty());
        return openings->list.size();
    };
    for (const std::string_view word : {"3-move", "3move"}) {
        CHECK(count_of(rules_of<English>, word) == 174);
        const auto refused = openings_named(rules_of<Czech>, word);
        REQUIRE_FALSE(refused);
        CHECK(refused.error() == "the three-move openings are of English draughts");
    }
    for (const std::string_view word : {"11-man", "11man"})
        CHECK(count_of(rules_of<Czech>, word) == 144);
    CHECK(count_of(rules_of<Czech>, "start") == 1);
    CHECK_FALSE(openings_named(rules_of<English>, "absent.pdn"));
}

TEST_CASE("openings of Portuguese draughts are Spanish ones", "[tools][openings]") {
    for (const std::string type : {"24,W,8,8,N1,1", "28,W,8,8,N1,1", "28", " 28 "})
        CHECK(problem_of<Spanish>("[GameType \"" + type + "\"]\n\n*\n").empty());
    const std::string portuguese = "[GameType \"28,W,8,8,N1,1\"]\n\n*\n";
    CHECK(problem_of<Italian>(portuguese).find("is not Italian") != std::string::npos);
    CHECK(problem_of<Spanish>("[GameType \"280\"]\n\n*\n").find("is not Spanish") !=
          std::string::npos);
}
