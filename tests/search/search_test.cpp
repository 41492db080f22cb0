#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/search/search.hpp>

#include "../rules/random_position.hpp"
#include "search_support.hpp"

using namespace defiance;
using testing::KeepingObserver;
using testing::position_of;
using testing::search;

namespace {

SearchResult search_to(const Position& p, int depth) {
    KeepingObserver observer;
    SearchLimits limits;
    limits.depth = depth;
    return search(p, limits, observer);
}

}  // namespace

TEST_CASE("proven scores hold against a plain proof", "[search][english]") {
    Random random(5);
    int proven = 0;
    for (int i = 0; i < 3'000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
        if (count(p.occupied()) > 7 || find_fault(p)) continue;
        const SearchResult result = search_to(p, 8);
        if (!is_proven(result.score) || plies_to_end(result.score) > 9) continue;
        ++proven;
        const int plies = plies_to_end(result.score);
        INFO(to_fen(rules_of<English>, p) << " score " << result.score);
        if (is_proven_win(result.score))
            REQUIRE(testing::wins_within<English>(p, plies));
        else
            REQUIRE(testing::loses_within<English>(p, plies));
    }
    CHECK(proven > 30);
}

TEST_CASE("a distant loss with few pieces is found, whatever the table holds",
          "[search][english]") {
    const Position p = position_of("W:W21,25:B10,12,K15");
    REQUIRE(is_proven_loss(search_to(p, 12).score));
    // So many nodes that the table is full several times over.
    TranspositionTable table(1);
    Search<English> searcher(table);
    SearchLimits limits;
    for (const std::uint64_t nodes : {100'000U, 400'000U, 1'600'000U}) {
        KeepingObserver observer;
        limits.nodes = nodes;
        const SearchResult result = searcher.run({&p, 1}, limits, observer);
        INFO(nodes << " nodes, depth " << result.depth);
        CHECK(is_proven_loss(result.score));
        CHECK(result.depth > 12);
    }
}

TEST_CASE("a lead in kings is brought home against good defence", "[search][english][strength]") {
    for (const char* fen : {"W:WK2,K23,K27:BK5,K32", "W:WK6,K11,K15,K28:BK14,K22,K27",
                            "B:WK5,K21,K32:BK1,K10,K18,K28", "W:W7,K6,K18,K19,K22:B12,K30,K32"}) {
        Game game(rules_of<English>, position_of(fen));
        const Side attacker = game.position().side;
        TranspositionTable tables[2] = {TranspositionTable(4), TranspositionTable(4)};
        Search<English> sides[2] = {Search<English>(tables[0]), Search<English>(tables[1])};
        KeepingObserver observer;
        SearchLimits limits;
        limits.nodes = 60'000;
        int plies = 0;
        for (; game.state() == GameState::open && plies < 200; ++plies) {
            Search<English>& side = sides[static_cast<int>(game.position().side)];
            game.play(*side.run(game.reversible_history(), limits, observer).move);
        }
        INFO(fen << ", " << plies << " plies");
        CHECK(game.state() == GameState::lost);
        CHECK(game.position().side != attacker);
    }
}

TEST_CASE("the side to move without a move has lost", "[search][english]") {
    const SearchResult result = search_to(position_of("B:W9,14:B5"), 5);
    CHECK_FALSE(result.move);
    CHECK(result.score == lost_in(0));
    CHECK(result.nodes == 0);
}

TEST_CASE("the principal variation is a line of legal moves that begins with the move played",
          "[search][english]") {
    for (const char* fen : {"B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
                            "W:WK10,K14,21,30:B13,K19,K23,28", "B:WK18,K23:BK2,K6,K11"}) {
        Position p = position_of(fen);
        const SearchResult result = search_to(p, 11);
        REQUIRE(result.move);
        REQUIRE_FALSE(result.line.empty());
        CHECK(result.line.front() == *result.move);
        for (const Move& move : result.line) {
            MoveList moves;
            generate_moves<English>(p, moves);
            REQUIRE(std::find(moves.begin(), moves.end(), move) != moves.end());
            p = after<English>(p, move);
        }
    }
}

TEST_CASE("the same search counts the same nodes", "[search][english]") {
    const Position p = position_of("W:W18,22,24,25,27,28,29,30,31,32:B1,2,3,5,6,7,9,11,12,16");
    const SearchResult first = search_to(p, 11);
    const SearchResult second = search_to(p, 11);
    CHECK(first.nodes == second.nodes);
    CHECK(first.score == second.score);
    CHECK(first.line == second.line);
}

TEST_CASE("the nodes of an iteration are those below its root moves", "[search][english]") {
    struct Adding : SearchObserver {
        bool may_go_deeper(const SearchReport& report) override {
            std::uint64_t sum = 0;
            for (const RootMove& move : report.moves)
                sum += move.nodes;
            CHECK(sum == report.nodes - before);
            before = report.nodes;
            ++iterations;
            return true;
        }
        std::uint64_t before = 0;
        int iterations = 0;
    } observer;
    TranspositionTable table(4);
    Search<English> searcher(table);
    SearchLimits limits;
    limits.depth = 14;
    const Position start = rules_of<English>.start_position();
    static_cast<void>(searcher.run({&start, 1}, limits, observer));
    CHECK(observer.iterations == limits.depth - 1);
}

TEST_CASE("a node limit is kept", "[search][english]") {
    for (const std::uint64_t nodes : {1, 300, 1024, 1500, 50'000}) {
        KeepingObserver observer;
        SearchLimits limits;
        limits.nodes = nodes;
        const SearchResult result = search(start_position(Side::black), limits, observer);
        CHECK(result.nodes >= nodes);
        CHECK(result.nodes <= nodes + max_ply);
        CHECK(result.move);
    }
}

TEST_CASE("a search does not depend on those before it but by the table", "[search][english]") {
    // More searches than the generations of a table, which begins again after them.
    const Position middle = position_of("W:W18,22,24,25,27,28,29,30,31,32:B1,2,3,5,6,7,9,11,12,16");
    KeepingObserver observer;
    SearchLimits limits;
    limits.nodes = 3000;
    const SearchResult alone = search(middle, limits, observer);
    TranspositionTable table(4);
    Search<English> searcher(table);
    for (int i = 0; i < 150; ++i) {
        table.clear();
        const SearchResult again = searcher.run({&middle, 1}, limits, observer);
        CHECK(again.nodes == alone.nodes);
        CHECK(again.score == alone.score);
        CHECK(again.line == alone.line);
    }
}

TEST_CASE("a search that is stopped at once still has a legal move", "[search][english]") {
    KeepingObserver observer;
    observer.stop = true;
    const SearchResult result = search(start_position(Side::black), {}, observer);
    REQUIRE(result.move);
    CHECK(result.nodes <= 1024 + 24);  // captures that have begun go on, each of another piece
}

TEST_CASE("a move that was not searched has no score", "[search][english]") {
    // Told to stop before the first iteration, and with its first node.
    class StoppingObserver : public SearchObserver {
    public:
        bool must_stop(std::uint64_t) override { return true; }
    } observer;
    const Endgames<English> endgames({});
    for (const char* const fen : {"B:W18,22,24,25,27:B1,2,3,5,6", "W:WK18,K23,K32:BK2,K6"}) {
        const Position p = position_of(fen);
        TranspositionTable table(1);
        Search<English> searcher(table);
        searcher.use(&endgames);
        SearchLimits limits;
        limits.nodes = 1;
        const SearchResult result = searcher.run({&p, 1}, limits, observer);
        REQUIRE(result.move);
        CHECK_FALSE(result.has_score);
        CHECK(result.score == score_draw);
        CHECK(result.depth == 0);
    }
}

TEST_CASE("a draw by repetition is seen against the game so far", "[search][english]") {
    // Black is a king down. Moving back to 1 would bring a position of the game for the third time,
    // which the search must value as a draw.
    Game game(rules_of<English>, position_of("B:WK18,K23:BK1"));
    for (const char* text : {"1-6", "18-22", "6-1", "22-18", "1-6", "18-22"}) {
        const auto move = parse_move(rules_of<English>, game.position(), text);
        REQUIRE(move);
        game.play(*move);
    }
    TranspositionTable table(1);
    Search<English> searcher(table);
    KeepingObserver observer;
    SearchLimits limits;
    limits.depth = 3;
    limits.all_scores = true;
    const SearchResult result = searcher.run(game.reversible_history(), limits, observer);
    REQUIRE(result.move);
    const auto back =
        std::find_if(observer.moves.begin(), observer.moves.end(), [&](const auto& m) {
            return to_text(rules_of<English>, game.position(), m.move) == "6-1";
        });
    REQUIRE(back != observer.moves.end());
    // The reply 22-18 completes the third occurrence; White will not play it, but after 6-1 the
    // position itself stands for the second time only, so nothing is a draw yet.
    CHECK(back->score < 0);
    const auto again = parse_move(rules_of<English>, game.position(), "6-1");
    game.play(*again);
    const SearchResult white = searcher.run(game.reversible_history(), limits, observer);
    REQUIRE(white.move);
    CHECK(to_text(rules_of<English>, game.position(), *white.move) != "22-18");
    const auto third =
        std::find_if(observer.moves.begin(), observer.moves.end(), [&](const auto& m) {
            return to_text(rules_of<English>, game.position(), m.move) == "22-18";
        });
    REQUIRE(third != observer.moves.end());
    CHECK(third->score == score_draw);
}

TEST_CASE("a search told to choose among some moves chooses among those", "[search]") {
    // 23-27 gives the only king away.
    const Position p = position_of("W:WK23:BK32");
    const Result<Move> bad = parse_move(rules_of<English>, p, "23-27");
    REQUIRE(bad);
    TranspositionTable table(4);
    Search<English> searcher(table);
    KeepingObserver observer;
    SearchLimits limits;
    limits.depth = 8;
    limits.search_moves = {*bad};
    for (const bool all_scores : {false, true}) {
        limits.all_scores = all_scores;
        const SearchResult result = searcher.run({&p, 1}, limits, observer);
        CHECK(result.move == *bad);
        CHECK(is_proven_loss(result.score));
        CHECK(observer.moves.size() == 1);
    }
    // What was found among one move says nothing about the position, except that it is worth that.
    limits.all_scores = false;
    static_cast<void>(searcher.run({&p, 1}, limits, observer));
    REQUIRE(table.probe(key_of(p), 0));
    CHECK(table.probe(key_of(p), 0)->bound == Bound::lower);
    limits = {};
    limits.depth = 8;
    const SearchResult result = searcher.run({&p, 1}, limits, observer);
    CHECK(result.move != *bad);
    CHECK_FALSE(is_proven(result.score));
}

namespace {

/// Stops a search as soon as its first move has turned out to lose, and knows what was best before.
class StopAtLoss : public SearchObserver {
public:
    bool must_stop(std::uint64_t) override { return has_seen_loss; }
    void report(const SearchReport& report) override {
        if (has_seen_loss) {
            has_found_better = true;
            return;
        }
        if (report.depth > depth) {
            was_lost = is_proven_loss(score);
            depth = report.depth;
        }
        score = report.score;
        best = report.line.front();
        earlier.push_back(best);
        has_seen_loss = depth > 1 && is_proven_loss(score) && !was_lost;
    }

    int depth = 0;
    Score score = 0;
    Move best{};
    std::vector<Move> earlier;  // best moves in their order
    bool was_lost = false;      // in the iteration before
    bool has_seen_loss = false;
    bool has_found_better = false;
};

}  // namespace

TEST_CASE("a stopped search does not play the move that it has just seen lose",
          "[search][strength]") {
    Random random(5);
    int others = 0;
    int avoided = 0;
    for (int i = 0; i < 3000; ++i) {
        const Position p = testing::random_position(random, 60);
        if (find_fault(p) || count_moves<English>(p) < 2 || count(p.occupied()) > 9) continue;
        TranspositionTable table(1);
        Search<English> search(table);
        SearchLimits limits;
        limits.depth = 14;
        StopAtLoss observer;
        const SearchResult result = search.run({&p, 1}, limits, observer);
        // Without a poll in time the iteration was completed.
        if (!observer.has_seen_loss || observer.has_found_better) continue;
        if (result.depth >= observer.depth) continue;
        const bool was_another_best =
            std::any_of(observer.earlier.begin(), observer.earlier.end(),
                        [&](const Move& move) { return move != observer.best; });
        others += was_another_best ? 1 : 0;
        if (*result.move == observer.best) continue;
        ++avoided;
        INFO(to_fen(rules_of<English>, p));
        CHECK(was_another_best);
        CHECK_FALSE(is_proven_loss(result.score));
        CHECK(result.line.front() == *result.move);
    }
    INFO(others << " positions with another move that was best once");
    CHECK(avoided >= 3);
}
