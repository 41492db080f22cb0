#include <catch2/catch.hpp>

#include <defiance/base/file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/egdb/slice_index.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/russian.hpp>
#include <defiance/search/search.hpp>

#include "../base/temporary.hpp"
#include "egdb/codec/decision_tree.hpp"

using namespace defiance;

namespace {

template <class Rules>
SearchResult search_with(const Endgames<Rules>& endgames, const Position& p, std::uint64_t nodes) {
    TranspositionTable table(4);
    Search<Rules> searcher(table);
    searcher.use(&endgames);
    SearchLimits limits;
    limits.nodes = nodes;
    SearchObserver observer;
    return searcher.run({&p, 1}, limits, observer);
}

}  // namespace

TEST_CASE("a search with databases is the same each time", "[search]") {
    for (const char* fen :
         {"B:W32,30,25,22:B1,3,12,11", "W:WK30,K32,21:BK3,K7", "B:WK18,K23:BK2,K6,K11"}) {
        const Position p = *parse_fen(rules_of<English>, fen);
        const Endgames<English> endgames({});
        const SearchResult first = search_with(endgames, p, 100'000);
        const SearchResult second = search_with(endgames, p, 100'000);
        INFO(fen);
        CHECK(first.score == second.score);
        CHECK(first.nodes == second.nodes);
        CHECK(first.depth == second.depth);
        CHECK(first.egdb == second.egdb);
        CHECK(first.move == second.move);
    }
}

TEST_CASE("a known win at the root is kept when another move is unknown", "[search]") {
    // When the man is crowned the database knows the position. Otherwise it is taken, and there are
    // too many positions that are not known.
    const Position p = *parse_fen(rules_of<English>, "W:WK23,7,25:BK11,12");
    const Material crowned = {1, 1, 1, 2};
    const auto search_knowing = [&](const ValueCounts& counts) {
        // A seed, a tree of one leaf that is sure, two ribbons without shards.
        const std::vector<std::uint8_t> values = {
            0, 1, 0, 255, Guess::of_counts(counts).byte(), 0, 0, 0, 0, 0, 0, 0, 0, 0};
        const std::vector<std::uint8_t> file =
            database_file::assemble({English::game_type, rules_fingerprint<English>()},
                                    {{crowned, Content::values, 0, values}});
        const TemporaryFolder folder;
        folder.write(database_file_name<English>(5), {file.begin(), file.end()});
        EndgameSettings settings;
        settings.built_in = false;
        settings.folder = folder.path() + path_separator;
        const Endgames<English> endgames(settings);
        REQUIRE(endgames.keeps(crowned));
        return search_with(endgames, p, 50);
    };
    const SearchResult won = search_knowing({0, 0, 1});
    REQUIRE(won.move);
    CHECK(count(after<English>(p, *won.move).kings) == 3);
    CHECK(won.egdb == EgdbResult{Wld::win, {}});
    // What is not known may be better than a draw.
    CHECK_FALSE(search_knowing({1, 0, 0}).egdb);
}

TEST_CASE("the soonest win at the root is found where it takes many look-ups", "[search]") {
    // After 1-5 some 8,000 positions decide that it wins two plies sooner than other moves.
    const Position p = *parse_fen(rules_of<Russian>, "W:W24,K1,K15:B7,K23");
    const Endgames<Russian> endgames({});
    const Position after_best = *parse_fen(rules_of<Russian>, "B:W24,K5,K15:B7,K23");
    REQUIRE_FALSE(endgames.resolve(after_best, 4000));
    const SearchResult result = search_with(endgames, p, 50);
    REQUIRE(result.move);
    CHECK(after<Russian>(p, *result.move) == after_best);
    CHECK(result.egdb == EgdbResult{Wld::win, 45});
}

TEST_CASE("a search keeps what the databases say of the root", "[search]") {
    const Endgames<English> endgames({});
    for (const char* fen :
         {"W:WK32,K30,25:BK1,12", "B:WK32,K30:BK1,12", "W:W32,30,25:B1,12", "B:W30,25:B3,12,11",
          "W:WK14,K19:BK1,9", "W:WK18,K15,22:BK29,K4", "B:WK18,22:BK29,K4", "W:WK6:BK1,K29"}) {
        CAPTURE(fen);
        const Position p = *parse_fen(rules_of<English>, fen);
        const auto expected = endgames.resolve(p, 10'000);
        REQUIRE(expected);
        // Few nodes: it is not the search that finds the move.
        const SearchResult result = search_with(endgames, p, 50);
        REQUIRE(result.move);
        CHECK(result.egdb == expected);
        const auto next = endgames.resolve(after<English>(p, *result.move), 10'000);
        REQUIRE(next);
        CHECK((next->wld == Wld::draw) == (expected->wld == Wld::draw));
        CHECK((next->wld == Wld::loss) == (expected->wld == Wld::win));
        if (expected->dtw && next->dtw) CHECK(*next->dtw + 1 == *expected->dtw);
    }
}

TEST_CASE("a database position without a move is the end of the game", "[search]") {
    // Of 4 pieces against 1 the databases have no plies. The only move takes a piece, and the other
    // one is blocked.
    const Endgames<English> endgames({});
    const Position p = *parse_fen(rules_of<English>, "W:WK25,K30,K15,K32:B21,18");
    CHECK(search_with(endgames, p, 2000).score == score_win - 1);
}
