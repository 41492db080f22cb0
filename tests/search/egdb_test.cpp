#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/egdb/slice_index.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

using namespace defiance;

namespace {

SearchResult search_with(const Endgames<English>& endgames, const Position& p, std::uint64_t nodes,
                         bool unpack_all = false) {
    TranspositionTable table(4);
    Search<English> searcher(table);
    searcher.use(&endgames);
    SearchLimits limits;
    limits.nodes = nodes;
    limits.unpack_all = unpack_all;
    SearchObserver observer;
    return searcher.run({&p, 1}, limits, observer);
}

/// Blocks that can be asked without unpacking any.
std::uint64_t unpacked_blocks(const Endgames<English>& endgames) {
    UnpackBudget none;
    const auto is_unpacked = [&](const SliceIndex& index, std::uint64_t begin, bool plies) {
        const std::uint64_t end = std::min(begin + positions_per_block, index.size());
        for (std::uint64_t number = begin; number < end; ++number) {
            const Position p = index.at(number);
            if (is_quiet<English>(p)) return endgames.probe(p, {plies, &none}).has_value();
        }
        return false;
    };
    std::uint64_t blocks = 0;
    for (int pieces = 2; pieces <= 5; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            if (!endgames.keeps(material)) continue;
            const SliceIndex index(material);
            for (std::uint64_t begin = 0; begin < index.size(); begin += positions_per_block)
                for (const bool plies : {false, true})
                    if (is_unpacked(index, begin, plies)) ++blocks;
        }
    return blocks;
}

}  // namespace

TEST_CASE("a search that may unpack all blocks does not depend on those unpacked before",
          "[search]") {
    for (const char* fen :
         {"B:W32,30,25,22:B1,3,12,11", "W:WK30,K32,21:BK3,K7", "B:WK18,K23:BK2,K6,K11"}) {
        const Position p = *parse_fen(rules_of<English>, fen);
        const Endgames<English> endgames({});
        const SearchResult first = search_with(endgames, p, 100'000, true);
        const SearchResult second = search_with(endgames, p, 100'000, true);
        INFO(fen);
        CHECK(first.score == second.score);
        CHECK(first.nodes == second.nodes);
        CHECK(first.depth == second.depth);
        CHECK(first.egdb == second.egdb);
        CHECK(first.move == second.move);
    }
}

TEST_CASE("a search does not wait for many blocks to be unpacked", "[search]") {
    const Endgames<English> endgames({});
    constexpr std::uint64_t nodes = 100'000;
    SECTION("when the root is not known") {
        const Position p = *parse_fen(rules_of<English>, "B:W32,30,25,22:B1,3,12,11");
        search_with(endgames, p, nodes);
        const std::uint64_t blocks = unpacked_blocks(endgames);
        CHECK(blocks > 10);
        // A block takes as long as about 1000 nodes: most of the time is for searching.
        CHECK(blocks <= nodes / 1000 + 10);
    }
    SECTION("when the root is known, but not how far its end is") {
        const Position p = *parse_fen(rules_of<English>, "W:WK32,K30,25:BK1,12");
        constexpr std::uint64_t few_nodes = 2000;
        const SearchResult result = search_with(endgames, p, few_nodes);
        CHECK(result.egdb == EgdbResult{Wld::win, {}});
        // Some for the root and its few moves, but not so many that a move comes late.
        CHECK(unpacked_blocks(endgames) <= 130);
    }
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
