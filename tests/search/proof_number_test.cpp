#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/search/search.hpp>
#include <search/proof_table.hpp>

#include "../every_game.hpp"
#include "../rules/random_position.hpp"

using namespace defiance;

namespace {

// Problems of the literature whose wins are proven to their end by lines of few choices. The
// alpha-beta search of solve mode alone needs 887,000, 333,000 and 51,000 nodes.
constexpr const char* long_shots[] = {
    "W:W31,27,24,22,K21,19,17,16,14,11,K9,7:BK30,K28,K26,K25,23,18,15,13,10,4,2",
    "B:W24,23,22,21,K4,K3,K2,K1:B16,15,14,13,11,10,9,5",
    "W:W24,22,19,18,17,16,15,14,K13,11,10:BK29,K28,27,26,K25,K23,K20,6,1",
};

Position position_to_solve(const char* fen) {
    const auto position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

/// Notes the first win that a search shows, and that its scores never fall after it.
class WinObserver : public SearchObserver {
public:
    explicit WinObserver(bool stops_at_win) : stops_at_win_(stops_at_win) {}

    bool must_stop(std::uint64_t) override { return stops_at_win_ && first_win.has_value(); }
    void report(const SearchReport& report) override {
        if (!first_win && is_decided(report.score) && report.score > 0) {
            first_win = report.score;
            depth_of_first_win = report.depth;
        }
        falls |= first_win && report.score < last_score_;
        last_score_ = report.score;
    }

    std::optional<Score> first_win;
    int depth_of_first_win = 0;
    bool falls = false;

private:
    bool stops_at_win_;
    Score last_score_ = -score_infinite;
};

SearchLimits solving(std::uint64_t nodes) {
    SearchLimits limits;
    limits.solve = true;
    limits.nodes = nodes;
    return limits;
}

/// A random position that the built-in databases may know, with a legal move; nothing when it is
/// none.
template <class Rules>
std::optional<Position> small_position(Random& random) {
    const Position p = testing::random_position(random, 40);
    if (count(p.occupied()) > 5 || find_fault(p) || count_moves<Rules>(p) == 0) return std::nullopt;
    return p;
}

/// Follows a line, which must be legal, and says what the databases know of its end, for the side
/// to move at its beginning.
template <class Rules>
std::optional<Wld> outcome_of_line(const Endgames<Rules>& endgames, const Position& p,
                                   const std::vector<Move>& line) {
    Position end = p;
    for (const Move& move : line) {
        MoveList moves;
        generate_moves<Rules>(end, moves);
        REQUIRE(std::find(moves.begin(), moves.end(), move) != moves.end());
        end = after<Rules>(end, move);
    }
    const auto known = endgames.resolve(end, 4'000, [] { return false; });
    if (!known) return std::nullopt;
    if (known->wld == Wld::draw || end.side == p.side) return known->wld;
    return opposite(known->wld);
}

}  // namespace

TEST_CASE("a proof table replaces what cost least", "[search][solve]") {
    constexpr std::uint64_t bytes_of_a_bucket = 4 * 24;
    ProofTable table(bytes_of_a_bucket);
    REQUIRE_FALSE(table.empty());
    CHECK(table.find(0) == nullptr);
    for (const std::uint64_t key : {0, 1, 2, 3}) {
        const ProofNumbers numbers{static_cast<std::uint32_t>(key) + 7, 8, 9, 5};
        table.store(key, numbers, 10 * (key + 1));
    }
    for (const std::uint64_t key : {0, 1, 2, 3}) {
        REQUIRE(table.find(key) != nullptr);
        CHECK(table.find(key)->phi == key + 7);
        CHECK(table.find(key)->delta == 8);
        CHECK(table.find(key)->plies == 9);
        CHECK(table.find(key)->reversible == 5);
    }
    // Another visit: key 0 has cost 25 now.
    table.store(0, ProofNumbers::reached(), 15);
    CHECK(table.find(0)->is_reached());
    table.store(4, ProofNumbers::missed(), 1);
    CHECK(table.find(1) == nullptr);
    REQUIRE(table.find(4) != nullptr);
    CHECK(table.find(4)->is_missed());
    table.store(5, {}, 2);
    CHECK(table.find(4) == nullptr);
    for (const std::uint64_t key : {0, 2, 3, 5})
        CHECK(table.find(key) != nullptr);
}

TEST_CASE("a proof table of many buckets keeps keys apart", "[search][solve]") {
    ProofTable table(1 << 20);
    Random random(3);
    std::vector<std::uint64_t> keys;
    for (std::uint32_t i = 0; i < 2'000; ++i) {
        keys.push_back(random.next());
        table.store(keys.back(), {i, 1, 0, 0}, 1);
    }
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        REQUIRE(table.find(keys[i]) != nullptr);
        CHECK(table.find(keys[i])->phi == i);
    }
    CHECK(ProofTable(0).empty());
}

TEST_CASE("solve mode proves long shots with few nodes", "[search][solve][english]") {
    const Endgames<English> endgames({});
    for (const char* const fen : long_shots) {
        CAPTURE(fen);
        const Position p = position_to_solve(fen);
        TranspositionTable table(16);
        Search<English> search(table);
        search.use(&endgames);
        WinObserver observer(true);
        const SearchResult result = search.run({&p, 1}, solving(20'000), observer);
        REQUIRE(is_proven_win(result.score));
        REQUIRE(static_cast<int>(result.line.size()) <= plies_to_end(result.score));
        const auto outcome = outcome_of_line(endgames, p, result.line);
        REQUIRE(outcome);
        CHECK(*outcome == Wld::win);
    }
}

TEMPLATE_TEST_CASE("what solve mode calls won is won in the databases that it comes to",
                   "[search][solve][games]", English, Russian) {
    const Endgames<TestType> endgames({});
    Random random(22);
    int wins = 0;
    for (int i = 0; i < 2'000; ++i) {
        const Position p = testing::random_position(random, 50);
        const int pieces = count(p.occupied());
        if (pieces < 6 || pieces > 7 || find_fault(p) || count_moves<TestType>(p) == 0) continue;
        TranspositionTable table(1);
        Search<TestType> search(table);
        search.use(&endgames);
        WinObserver observer(true);
        const SearchResult result = search.run({&p, 1}, solving(5'000), observer);
        if (!is_decided(result.score) || result.score < 0) continue;
        INFO(to_fen(rules_of<TestType>, p) << " score " << result.score);
        const auto outcome = outcome_of_line(endgames, p, result.line);
        if (!outcome) continue;  // the line ends early
        ++wins;
        REQUIRE(*outcome == Wld::win);
        // A line ends where the databases begin.
        Position on_line = p;
        for (std::size_t at = 0; at + 1 < result.line.size(); ++at) {
            on_line = after<TestType>(on_line, result.line[at]);
            REQUIRE_FALSE(endgames.probe(on_line));
        }
    }
    CHECK(wins > 50);
}

TEST_CASE("after a proof solve mode looks for sooner wins", "[search][solve][english]") {
    // First a database knows that the position is won, then the search knows in how many plies.
    const Position p = position_to_solve("W:W17,19,23,26,K1,K12,K30:B6,11,14,K10,K21,K24");
    const Endgames<English> endgames({});
    TranspositionTable table(16);
    Search<English> search(table);
    search.use(&endgames);
    WinObserver observer(false);
    SearchLimits limits = solving(10'000'000);
    limits.depth = 15;
    const SearchResult result = search.run({&p, 1}, limits, observer);
    CHECK(observer.first_win == min_known_win);
    CHECK_FALSE(observer.falls);
    CHECK(result.score == score_win - 15);
}

TEMPLATE_TEST_CASE("what solve mode calls won is won", "[search][solve][games]",
                   DEFIANCE_EVERY_GAME) {
    const Endgames<TestType> endgames({});
    Random random(21);
    int wins = 0;
    int by_proof = 0;
    for (int i = 0; i < 4'000; ++i) {
        const auto p = small_position<TestType>(random);
        if (!p) continue;
        // Solved without databases, judged by them.
        TranspositionTable table(1);
        Search<TestType> search(table);
        WinObserver observer(false);
        SearchLimits limits = solving(40'000);
        limits.depth = 9;
        const SearchResult result = search.run({&*p, 1}, limits, observer);
        if (!is_proven_win(result.score)) continue;
        const auto known = endgames.resolve(*p, 4'000, [] { return false; });
        if (!known) continue;
        INFO(to_fen(rules_of<TestType>, *p) << " score " << result.score);
        REQUIRE(known->wld == Wld::win);
        ++wins;
        const int plies = plies_to_end(result.score);
        if (known->dtw) REQUIRE(*known->dtw <= plies);
        by_proof += plies_to_end(*observer.first_win) > 2 * observer.depth_of_first_win;
        // The move keeps the win.
        const auto next =
            endgames.resolve(after<TestType>(*p, *result.move), 4'000, [] { return false; });
        if (next) CHECK(next->wld == Wld::loss);
    }
    CHECK(wins > 50);
    // Wins in more plies than twice the depth are none of the alpha-beta search.
    CHECK(by_proof > 10);
}

TEST_CASE("a proof keeps to the limits of the search", "[search][solve][english]") {
    const Position p = position_to_solve(long_shots[1]);
    TranspositionTable table(16);
    Search<English> search(table);
    SECTION("nodes") {
        for (const std::uint64_t nodes : {1, 300, 700, 1024, 1500, 30'000}) {
            SearchObserver observer;
            table.clear();
            const SearchResult result = search.run({&p, 1}, solving(nodes), observer);
            CHECK(result.nodes >= nodes);
            CHECK(result.nodes <= nodes + max_ply);
            CHECK(result.move);
        }
    }
    SECTION("moves to choose among") {
        const Result<Move> other = parse_move(rules_of<English>, p, "16-19");
        REQUIRE(other);
        SearchLimits limits = solving(30'000);
        limits.search_moves = {*other};
        SearchObserver observer;
        const SearchResult result = search.run({&p, 1}, limits, observer);
        CHECK(result.move == *other);
        CHECK_FALSE(is_proven_win(result.score));
    }
    SECTION("the same each time") {
        SearchObserver observer;
        const SearchResult first = search.run({&p, 1}, solving(30'000), observer);
        table.clear();
        const SearchResult second = search.run({&p, 1}, solving(30'000), observer);
        CHECK(first.nodes == second.nodes);
        CHECK(first.score == second.score);
        CHECK(first.line == second.line);
    }
    SECTION("all scores") {
        SearchLimits limits = solving(30'000);
        limits.all_scores = true;
        limits.depth = 5;
        SearchObserver observer;
        CHECK_FALSE(is_decided(search.run({&p, 1}, limits, observer).score));
    }
    SECTION("threads") {
        SearchLimits limits = solving(2'000'000);
        limits.threads = 3;
        WinObserver observer(true);
        CHECK(is_proven_win(search.run({&p, 1}, limits, observer).score));
    }
    SECTION("threads, but too little to do for them") {
        SearchLimits limits = solving(30'000);
        limits.depth = 4;
        SearchObserver observer;
        const SearchResult one = search.run({&p, 1}, limits, observer);
        table.clear();
        limits.threads = 3;
        CHECK(search.run({&p, 1}, limits, observer).nodes == one.nodes);
    }
}
