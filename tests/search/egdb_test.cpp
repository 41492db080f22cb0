#include <catch2/catch.hpp>

#include <optional>
#include <span>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/random.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/egdb/slice_index.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

#include "../base/temporary.hpp"
#include "../egdb/driver_folder.hpp"
#include "../every_game.hpp"
#include "../rules/random_position.hpp"
#include "egdb/codec/decision_tree.hpp"

using namespace defiance;

namespace {

template <class Rules>
SearchResult search_with(const Endgames<Rules>& endgames, std::span<const Position> history,
                         std::uint64_t nodes) {
    TranspositionTable table(4);
    Search<Rules> searcher(table);
    searcher.use(&endgames);
    SearchLimits limits;
    limits.nodes = nodes;
    SearchObserver observer;
    return searcher.run(history, limits, observer);
}

template <class Rules>
SearchResult search_with(const Endgames<Rules>& endgames, const Position& p, std::uint64_t nodes) {
    return search_with(endgames, std::span(&p, 1), nodes);
}

/// The move of English draughts from one position to another, if there is one.
std::optional<Move> move_between(const Position& from, const Position& to) {
    MoveList moves;
    generate_moves<English>(from, moves);
    for (const Move& move : moves)
        if (after<English>(from, move) == to) return move;
    return std::nullopt;
}

/// Three moves by which White takes back a move of a king from `p` to `next` and Black his reply to
/// it; empty if there are none.
std::vector<Move> way_back(const Position& p, const Position& next) {
    MoveList replies;
    generate_moves<English>(next, replies);
    for (const Move& reply : replies) {
        const Position replied = after<English>(next, reply);
        Position taken_back = replied;
        taken_back.white = p.white;
        taken_back.kings = (replied.kings & replied.black) | (p.kings & p.white);
        taken_back.side = Side::black;
        const auto second = move_between(replied, taken_back);
        const auto third = move_between(taken_back, p);
        if (second && third) return {reply, *second, *third};
    }
    return {};
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

TEST_CASE("a win is not given away by a position that comes for the third time", "[search]") {
    const Endgames<English> endgames({});
    // One move wins soonest, and others win too.
    const char* const fen = GENERATE("W:WK4,K12,K14:BK24,K25", "W:WK15,K25:BK14", "W:WK7,K29:BK6",
                                     "W:WK1,K12,K31:BK3,K14", "W:WK3,K29:BK17");
    CAPTURE(fen);
    const Position p = *parse_fen(rules_of<English>, fen);
    const SearchResult soonest = search_with(endgames, p, 50);
    REQUIRE(soonest.egdb);
    REQUIRE(soonest.egdb->wld == Wld::win);
    const Position next = after<English>(p, *soonest.move);
    const std::vector<Move> back = way_back(p, next);
    REQUIRE(back.size() == 3);
    // With the move, or with the reply to it, a position would come for the third time.
    const bool is_by_reply = GENERATE(false, true);
    CAPTURE(is_by_reply);
    std::vector<Move> moves = {back[1], back[2], *soonest.move, back[0], back[1], back[2]};
    if (!is_by_reply) moves.insert(moves.begin(), back[0]);
    Game game(rules_of<English>, is_by_reply ? after<English>(next, back[0]) : next);
    for (const Move& move : moves)
        game.play(move);
    REQUIRE(game.position() == p);
    const SearchResult result = search_with(endgames, game.reversible_history(), 50);
    REQUIRE(result.move);
    CHECK(result.egdb->wld == Wld::win);
    game.play(*result.move);
    CHECK(game.state() == GameState::open);
    MoveList replies;
    generate_moves<English>(game.position(), replies);
    for (const Move& reply : replies) {
        Game replied = game;
        replied.play(reply);
        CHECK(replied.state() == GameState::open);
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

TEMPLATE_TEST_CASE("what the databases know of an ending is not given away", "[search][games]",
                   DEFIANCE_EVERY_GAME) {
    // More than a search looks up, so that the test knows every position.
    constexpr std::size_t max_positions = 1 << 20;
    const Endgames<TestType> endgames({});
    Random random(29);
    int left_to_search = 0;
    int with_plies = 0;
    for (int checked = 0; checked < 150;) {
        const Position p = testing::random_position(random, 60);
        const int pieces = count(p.occupied());
        if (pieces < 3 || pieces > 5) continue;
        ++checked;
        CAPTURE(to_fen(rules_of<TestType>, p));
        const auto expected = endgames.resolve(p, max_positions);
        REQUIRE(expected);
        // Few nodes: it is not the search that finds the move, except where what a move leads to
        // takes too many look-ups.
        SearchResult result = search_with(endgames, p, 50);
        if (!result.move) continue;
        if (!result.egdb) {
            ++left_to_search;
            result = search_with(endgames, p, 20'000);
        }
        const Position next = after<TestType>(p, *result.move);
        CAPTURE(to_fen(rules_of<TestType>, next));
        const auto reached = endgames.resolve(next, max_positions);
        REQUIRE(reached);
        CHECK((reached->wld == Wld::draw) == (expected->wld == Wld::draw));
        CHECK((reached->wld == Wld::loss) == (expected->wld == Wld::win));
        if (!expected->dtw || !reached->dtw) continue;
        ++with_plies;
        CHECK(*reached->dtw + 1 == *expected->dtw);
    }
    CHECK(left_to_search <= 3);
    CHECK(with_plies > 40);
}

TEMPLATE_TEST_CASE("what the databases know is not given away for want of time", "[search][games]",
                   DEFIANCE_EVERY_GAME) {
    /// Has no time from the beginning.
    class LateObserver : public SearchObserver {
    public:
        bool must_stop(std::uint64_t) override { return true; }
    };
    constexpr std::size_t max_positions = 1 << 20;
    const Endgames<TestType> endgames({});
    Random random(30);
    int mistakes = 0;
    int unknown = 0;
    for (int checked = 0; checked < 150;) {
        const Position p = testing::random_position(random, 60);
        const int pieces = count(p.occupied());
        if (pieces < 3 || pieces > 5) continue;
        ++checked;
        const auto expected = endgames.resolve(p, max_positions);
        REQUIRE(expected);
        TranspositionTable table(4);
        Search<TestType> searcher(table);
        searcher.use(&endgames);
        LateObserver observer;
        const SearchResult result = searcher.run({&p, 1}, {}, observer);
        if (!result.move) continue;
        CHECK(result.nodes <= 2048);
        unknown += !result.has_score && !result.egdb;
        const auto reached = endgames.resolve(after<TestType>(p, *result.move), max_positions);
        REQUIRE(reached);
        mistakes += opposite(reached->wld) != expected->wld;
    }
    // Values that take more than a few look-ups are left to a search of one ply.
    CHECK(mistakes <= 3);
    CHECK(unknown == 0);
}

TEST_CASE("a move that is known to lose is not played where another one draws",
          "[search][spanish]") {
    // One move of the root takes too many look-ups.
    const Position p = *parse_fen(rules_of<Spanish>, "W:W26,K18:BK4,K23,K2");
    const Endgames<Spanish> endgames({});
    constexpr std::size_t max_positions = 1 << 20;
    REQUIRE(endgames.resolve(p, max_positions)->wld == Wld::draw);
    for (const std::uint64_t nodes : {20, 50, 200}) {
        const SearchResult result = search_with(endgames, p, nodes);
        REQUIRE(result.move);
        const auto reached = endgames.resolve(after<Spanish>(p, *result.move), max_positions);
        REQUIRE(reached);
        CHECK(reached->wld == Wld::draw);
    }
}

TEST_CASE("of moves that draw by the databases one with chances is played", "[search]") {
    // Black can exchange a king, after which White has nothing left to do wrong.
    const Position p = *parse_fen(rules_of<English>, "B:WK9,K18:BK27,K31");
    const Endgames<English> endgames({});
    const auto known = endgames.resolve(p, 4000);
    REQUIRE(known);
    REQUIRE(known->wld == Wld::draw);
    for (const int threads : {1, 2}) {
        TranspositionTable table(4);
        Search<English> searcher(table);
        searcher.use(&endgames);
        SearchLimits limits;
        limits.nodes = 1'000'000;
        limits.threads = threads;
        SearchObserver observer;
        const SearchResult found = searcher.run(std::span(&p, 1), limits, observer);
        INFO(threads);
        REQUIRE(found.move);
        const Position next = after<English>(p, *found.move);
        const auto result = endgames.resolve(next, 4000);
        REQUIRE(result);
        CHECK(result->wld == Wld::draw);
        MoveList replies;
        generate_moves<English>(next, replies);
        CHECK_FALSE(replies[0].is_capture());
        // It is told as the draw that it is, and takes little time.
        CHECK(found.score == score_draw);
        REQUIRE(found.egdb);
        CHECK(found.egdb->wld == Wld::draw);
        CHECK(found.nodes < 200'000);
    }
}

TEST_CASE("what was learned from databases does not choose among moves that draw", "[search]") {
    const Position p = *parse_fen(rules_of<English>, "B:WK9,K18:BK27,K31");
    const Endgames<English> endgames({});
    TranspositionTable table(16);
    Search<English> searcher(table);
    searcher.use(&endgames);
    SearchLimits limits;
    SearchObserver observer;
    const SearchResult expected = searcher.run(std::span(&p, 1), limits, observer);
    table.clear();
    // All scores of the same root, and from the positions after its moves.
    limits.depth = 16;
    limits.all_scores = true;
    static_cast<void>(searcher.run(std::span(&p, 1), limits, observer));
    limits = {};
    const SearchResult found = searcher.run(std::span(&p, 1), limits, observer);
    CHECK(found.move == expected.move);
    CHECK(found.nodes == expected.nodes);
    CHECK(found.line == expected.line);
}

TEST_CASE("a database position without a move is the end of the game", "[search]") {
    // Of 4 pieces against 1 the databases have no plies. The only move takes a piece, and the other
    // one is blocked.
    const Endgames<English> endgames({});
    const Position p = *parse_fen(rules_of<English>, "W:WK25,K30,K15,K32:B21,18");
    CHECK(search_with(endgames, p, 2000).score == score_win - 1);
}

TEST_CASE("a win that is too far away for a score is a win of unknown length", "[search][driver]") {
    // The capture leads to positions that the side to move wins, they say, in 5,000 moves.
    const DriverFolder driver;
    EndgameSettings settings;
    settings.built_in = false;
    settings.folder = "kind 9 pieces 8 answer 1/";
    settings.distance_folder = "kind 11 pieces 8 answer 5000/";
    settings.driver_folders = {driver.path()};
    const Endgames<English> endgames(settings);
    REQUIRE(endgames.pieces() == 8);
    const Position p = *parse_fen(rules_of<English>, "W:W18,K30,K31,K32:B14,K1,K2,K3,K4");
    const Score score = search_with(endgames, p, 1000).score;
    CHECK(score <= -min_known_win);
    CHECK(score >= -max_known_win);
}
