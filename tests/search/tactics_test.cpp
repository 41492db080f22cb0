#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/search/search.hpp>

using namespace defiance;

namespace {

/// A position of the literature and the moves that solve it, separated by blanks.
struct Problem {
    std::string_view fen;
    std::string_view solutions;
};

constexpr Problem problems[] = {
    {"W:W31,29,23,17,14,13,K8,7,K6:BK27,25,24,K22,21,18,16,K15,10,5,1", "14-9"},
    {"W:W30,29,22,21,9,6:B24,20,16,13,8,7", "22-17"},
    {"W:W28,27,25,23,22,18,17,14:B20,16,13,11,9,5,3,1", "28-24"},
    {"W:W13,5,K2:BK14,10,1", "2-7"},
    {"W:WK30,22,16,K2:B21,14,13,K10", "2-7"},
    {"B:W26,23,21,20,19:B12,11,10,9,3", "11-15"},
    {"W:W9,20,21,30:B1,3,14,19", "30-25"},
    {"W:WK2,10,20,21:B1,3,K18,K19", "2-7"},
    {"W:W14,K15,K18,26:BK5,7,17,24", "15-10 18-22 26-23"},
    {"W:WK11,K25,32:BK14,18,K19", "32-27"},
    {"W:W15,17,18,19,22,26,27,28,30,32:B1,3,6,8,9,10,11,12,13,20", "17-14"},
    {"B:W31,23,20,19,K2:BK30,13,12,8,7", "8-11"},
    {"B:W28,24,21,20,K2:BK27,19,15,11,7", "27-23"},
    {"W:W22,21,12,K7:BK23,13,9,5", "7-10"},
    {"W:W18,21,22,23,24,26,27,28,30,31,32:B2,3,4,5,8,9,11,12,13,14,15", "24-20 24-19 22-17"},
    {"W:W31,K30:BK29,22,19", "31-27"},
    {"W:WK17,18:B10,K25", "17-21"},
    {"W:W31,27,24,22,K21,19,17,16,14,11,K9,7:BK30,K28,K26,K25,23,18,15,13,10,4,2", "9-5"},
    {"B:W26,23,K4:B24,K20,3", "24-27"},
    {"W:W31,23,20,19,K2:BK30,13,12,11,8", "31-26"},
    {"W:W24,22,19,18,17,16,15,14,K13,11,10:BK29,K28,27,26,K25,K23,K20,6,1", "11-8"},
    {"B:W24,23,22,21,K4,K3,K2,K1:B16,15,14,13,11,10,9,5", "13-17 14-17"},
    {"W:W12,15,16,25,30,32:B3,7,9,14,18,24", "15-11"},
    {"B:W26,23,K4:B24,K20,1", "24-27"},
    {"B:W26,23,K4:B24,K20,2", "24-27"},
    {"W:W32,31,30,28,21,13,K4:BK29,20,12,5,3,2,1", "4-8"},
    {"W:W7,9,11,17,31,32:B1,2,4,15,20,23", "7-3"},
    {"B:W10,K11,15:B3,K18,K19", "18-14"},
    {"W:W31,29,28,22,19,K17,15,K9,6:BK32,K23,21,20,13,8,7,2", "29-25"},
    {"W:W26,25,24,23,22,K13,11,7,K1:BK32,K29,28,20,15,14,10,8,6,4", "23-19"},
};

bool is_solution(std::string_view solutions, const std::string& move) {
    return (' ' + std::string(solutions) + ' ').find(' ' + move + ' ') != std::string::npos;
}

SearchResult search_with(const Position& p, const SearchLimits& limits,
                         const Endgames<English>* endgames) {
    TranspositionTable table(16);
    Search<English> searcher(table);
    searcher.use(endgames);
    SearchObserver observer;
    return searcher.run({&p, 1}, limits, observer);
}

}  // namespace

TEST_CASE("a search solves problems of the literature within so many nodes",
          "[search][english][strength]") {
    const Endgames<English> endgames({});
    int solved = 0;
    std::string missed;
    for (const Problem& problem : problems) {
        const auto p = parse_fen(rules_of<English>, problem.fen);
        REQUIRE(p);
        SearchLimits limits;
        limits.nodes = 1'200'000;
        const SearchResult result = search_with(*p, limits, &endgames);
        REQUIRE(result.move);
        const std::string move = to_text(rules_of<English>, *p, *result.move);
        // A move after which a database knows the win solves a problem as well.
        const bool is_solved =
            is_solution(problem.solutions, move) || result.score >= min_known_win;
        if (is_solved)
            ++solved;
        else
            missed += "\n" + std::string(problem.fen) + ": " + move;
    }
    // Another network finds other moves sooner; a search that sees less finds fewer.
    INFO("missed:" << missed);
    CHECK(solved >= 26);
}

TEST_CASE("solve mode proves a shot that the ordinary mode misses at the same nodes",
          "[search][english]") {
    const auto p = parse_fen(rules_of<English>, "W:W30,29,22,21,9,6:B24,20,16,13,8,7");
    REQUIRE(p);
    SearchLimits limits;
    limits.nodes = 8'000;
    CHECK_FALSE(is_decided(search_with(*p, limits, nullptr).score));
    limits.solve = true;
    CHECK(search_with(*p, limits, nullptr).score == score_win - 13);
}

TEST_CASE("an ordinary search sees a shot that begins with two sacrifices",
          "[search][english][strength]") {
    const auto p =
        parse_fen(rules_of<English>, "B:W24,23,22,21,K4,K3,K2,K1:B16,15,14,13,11,10,9,5");
    REQUIRE(p);
    SearchLimits limits;
    // Half a second. Razoring gives the sacrifices up until the search is deep enough.
    limits.depth = 29;
    limits.nodes = 6'000'000;
    CHECK(search_with(*p, limits, nullptr).score == score_win - 13);
}

TEST_CASE("solve mode does not believe what the ordinary mode has left in the table", "[search]") {
    // Solve mode alone proves it after 71,000 nodes.
    const auto position = parse_fen(rules_of<English>, "W:W6,9,21,22,29,30:B7,8,13,16,20,24");
    REQUIRE(position);
    const auto nodes_to_proof = [&](bool is_after_ordinary) {
        TranspositionTable table(16);
        Search<English> searcher(table);
        SearchObserver quiet;
        SearchLimits limits;
        limits.nodes = 8'000;
        if (is_after_ordinary)
            CHECK_FALSE(is_proven_win(searcher.run({&*position, 1}, limits, quiet).score));
        class UntilWon : public SearchObserver {
            bool may_go_deeper(const SearchReport& report) override {
                return !is_proven_win(report.score);
            }
        };
        UntilWon until_won;
        limits.nodes = 1'000'000;
        limits.solve = true;
        const SearchResult solved = searcher.run({&*position, 1}, limits, until_won);
        CHECK(is_proven_win(solved.score));
        return solved.nodes;
    };
    CHECK(nodes_to_proof(true) == nodes_to_proof(false));
}
