#include <cstdlib>
#include <stdexcept>

#include <catch2/catch.hpp>

#include <defiance/base/clock.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/search.hpp>

using namespace defiance;

namespace {

const char* const middle_game = "W:W18,22,24,25,27,28,29,30,31,32:B1,2,3,5,6,7,9,11,12,16";

Position english_position(const char* fen) {
    const auto position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

SearchLimits limits_of(int threads, int depth) {
    SearchLimits limits;
    limits.threads = threads;
    limits.depth = depth;
    return limits;
}

SearchResult search_alone(const char* fen, int depth) {
    const Position p = english_position(fen);
    TranspositionTable table(4);
    Search<English> search(table);
    SearchObserver observer;
    return search.run({&p, 1}, limits_of(1, depth), observer);
}

/// Ends a search after so many nodes of all threads, in one of two ways.
class LimitingObserver : public SearchObserver {
public:
    LimitingObserver(std::uint64_t nodes, bool throws) : nodes_(nodes), throws_(throws) {}
    bool must_stop(std::uint64_t nodes) override {
        if (nodes < nodes_) return false;
        if (throws_) throw std::runtime_error("out of order");
        return true;
    }

private:
    std::uint64_t nodes_;
    bool throws_;
};

}  // namespace

TEST_CASE("several threads search one position", "[search][english][threads]") {
    constexpr int depth = 13;
    const SearchResult alone = search_alone(middle_game, depth);
    const Position p = english_position(middle_game);
    for (const int threads : {2, 3, 8}) {
        CAPTURE(threads);
        TranspositionTable table(4);
        Search<English> search(table);
        SearchObserver observer;
        const SearchResult result = search.run({&p, 1}, limits_of(threads, depth), observer);
        CHECK(result.depth == depth);
        REQUIRE(result.move);
        CHECK(result.line.front() == *result.move);
        CHECK(result.nodes > 0);
        // About the same judgement: the tree differs, the evaluation does not.
        CHECK(std::abs(result.score - alone.score) < 100);
    }
}

TEST_CASE("threads find proven wins as one does", "[search][english][threads]") {
    const char* const won = "W:W9,K10:B1,5";
    const Position p = english_position(won);
    const SearchResult alone = search_alone(won, 12);
    REQUIRE(is_proven_win(alone.score));
    for (int round = 0; round < 10; ++round) {
        TranspositionTable table(1);
        Search<English> search(table);
        SearchObserver observer;
        const SearchResult result = search.run({&p, 1}, limits_of(4, 12), observer);
        CHECK(result.score == alone.score);
    }
}

TEST_CASE("a limit of nodes counts the nodes of all threads", "[search][english][threads]") {
    const Position p = english_position(middle_game);
    TranspositionTable table(4);
    Search<English> search(table);
    SearchObserver observer;
    // More threads than most machines have processors, so that some must wait for one.
    for (const int threads : {2, 4, 32}) {
        CAPTURE(threads);
        SearchLimits limits = limits_of(threads, max_depth);
        limits.nodes = 100'000;
        const SearchResult result = search.run({&p, 1}, limits, observer);
        CHECK(result.nodes >= limits.nodes);
        // Each thread asks every 1024 nodes, and captures that have begun go on.
        constexpr std::uint64_t most_unseen = 1024 + max_ply;
        CHECK(result.nodes <= limits.nodes + most_unseen * static_cast<std::uint64_t>(threads));
        CHECK(result.move);
    }
}

TEST_CASE("a search with threads stops when it is told, and can be used again",
          "[search][english][threads]") {
    const Position p = english_position(middle_game);
    const SearchResult alone = search_alone(middle_game, 9);
    for (const bool throws : {false, true}) {
        TranspositionTable table(4);
        Search<English> search(table);
        for (int round = 0; round < 10; ++round) {
            LimitingObserver observer(5000, throws);
            const SearchLimits limits = limits_of(1 + round % 4 * 3, max_depth);
            if (throws)
                REQUIRE_THROWS(search.run({&p, 1}, limits, observer));
            else
                REQUIRE(search.run({&p, 1}, limits, observer).move);
        }
        // One thread and an empty table: nothing is left of the others.
        table.clear();
        SearchObserver observer;
        const SearchResult result = search.run({&p, 1}, limits_of(1, 9), observer);
        CHECK(result.nodes == alone.nodes);
        CHECK(result.score == alone.score);
    }
}

TEST_CASE("threads share the databases", "[search][english][threads]") {
    const Endgames<English> endgames({});
    const Position p = english_position("W:WK10,K14,21,30:B13,K19,K23,28");
    TranspositionTable table(4);
    Search<English> search(table);
    search.use(&endgames);
    SearchObserver observer;
    for (int round = 0; round < 3; ++round) {
        const SearchResult result = search.run({&p, 1}, limits_of(4, 11), observer);
        CHECK(result.move);
    }
}
