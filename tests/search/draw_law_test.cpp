#include <algorithm>
#include <cstdlib>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>
#include <search/draw_law.hpp>

#include "../rules/random_position.hpp"

using namespace defiance;

namespace {

/// A history that ends with `p` after so many plies without progress. The positions before it are
/// none that a search from `p` could come to.
std::vector<Position> history_of(const Position& p, int reversible) {
    const Position elsewhere{bit(0), bit(31), bit(0) | bit(31), Side::black};
    std::vector<Position> history(static_cast<std::size_t>(reversible), elsewhere);
    history.push_back(p);
    return history;
}

template <class Rules>
SearchResult search_at(Search<Rules>& search, const Position& p, int reversible, int depth,
                       bool solve = false) {
    SearchLimits limits;
    limits.depth = depth;
    limits.solve = solve;
    SearchObserver observer;
    return search.run(history_of(p, reversible), limits, observer);
}

/// Plain proof under the draw law: does the side to move win within `plies`?
template <class Rules>
bool wins_within(const Position& p, int plies, int reversible);

template <class Rules>
bool loses_within(const Position& p, int plies, int reversible) {
    MoveList moves;
    generate_moves<Rules>(p, moves);
    if (moves.empty()) return true;
    if (reversible >= reversible_limit<Rules>(p) || plies == 0) return false;
    return std::all_of(moves.begin(), moves.end(), [&](const Move& move) {
        return wins_within<Rules>(after<Rules>(p, move), plies - 1,
                                  is_reversible(p, move) ? reversible + 1 : 0);
    });
}

template <class Rules>
bool wins_within(const Position& p, int plies, int reversible) {
    if (reversible >= reversible_limit<Rules>(p) || plies == 0) return false;
    MoveList moves;
    generate_moves<Rules>(p, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        return loses_within<Rules>(after<Rules>(p, move), plies - 1,
                                   is_reversible(p, move) ? reversible + 1 : 0);
    });
}

template <class Rules>
bool holds_under_the_law(const Position& p, Score score, int reversible) {
    const int plies = plies_to_end(score);
    return is_proven_win(score) ? wins_within<Rules>(p, plies, reversible)
                                : loses_within<Rules>(p, plies, reversible);
}

/// True when a side can capture in the position or after less than `plies` moves.
template <class Rules>
bool can_capture_within(const Position& p, int plies) {
    MoveList moves;
    generate_moves<Rules>(p, moves);
    return plies > 0 && std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
               return move.is_capture() ||
                      can_capture_within<Rules>(after<Rules>(p, move), plies - 1);
           });
}

}  // namespace

TEST_CASE("a win is found whatever the table learned close to the draw law", "[search][russian]") {
    const auto p = parse_fen(rules_of<Russian>, "W:WK32,K31,K30,K29:BK1,K5");
    REQUIRE(p);
    constexpr int depth = 16;
    TranspositionTable table(16);
    Search<Russian> search(table);
    const int limit = reversible_limit<Russian>(*p);
    CHECK_FALSE(is_proven(search_at(search, *p, limit - 3, depth).score));
    CHECK(search_at(search, *p, 0, depth).score == score_win - 11);
    // And the other way round.
    CHECK_FALSE(is_proven(search_at(search, *p, limit - 3, depth).score));
}

TEMPLATE_TEST_CASE("proven scores hold under the draw law, whatever the table holds",
                   "[search][games]", English, Russian, Brazilian) {
    Random random(11);
    int proven = 0;
    int spoiled = 0;
    for (int i = 0; i < 3'000; ++i) {
        Position p = testing::random_position(random, 70);
        if (count(p.occupied()) > 5 || find_fault(p)) continue;
        TranspositionTable table(1);
        Search<TestType> search(table);
        const bool solve = i % 2 == 1;
        const Score free_score = search_at(search, p, 0, 8, solve).score;
        if (!is_proven(free_score) || plies_to_end(free_score) > 9) continue;
        const int limit = reversible_limit<TestType>(p);
        for (const int left : {2, 3, 4, 5}) {
            const Score score = search_at(search, p, limit - left, 8, solve).score;
            if (!is_proven(score)) {
                ++spoiled;
                continue;
            }
            ++proven;
            INFO(to_fen(rules_of<TestType>, p)
                 << " score " << score << ", " << left << " plies left");
            if (plies_to_end(score) <= 7)
                REQUIRE(holds_under_the_law<TestType>(p, score, limit - left));
        }
    }
    CHECK(proven > 20);
    CHECK(spoiled >= 10);
}

TEST_CASE("a database's win that the draw law ends first is not proven at a leaf",
          "[search][english]") {
    const Endgames<English> endgames({});
    TranspositionTable table;
    Search<English> search(table);
    search.use(&endgames);
    int wins = 0;
    Random random(12);
    while (wins < 50) {
        const Position p = testing::random_position(random, 100);
        const auto result = count(p.occupied()) == 3 ? endgames.probe(p) : std::nullopt;
        if (!result || result->wld != Wld::win || !result->dtw || *result->dtw < 5) continue;
        if (can_capture_within<English>(p, 3)) continue;
        ++wins;
        const int limit = reversible_limit<English>(p);
        for (const int left : {1, 2, 3, 4}) {
            INFO(to_fen(rules_of<English>, p) << ", " << left << " plies left");
            for (const bool solve : {false, true}) {
                CHECK_FALSE(is_decided(search_at(search, p, limit - left, 1, solve).score));
                CHECK_FALSE(is_decided(search_at(search, p, limit - left, 2, solve).score));
            }
        }
        CHECK(is_proven_win(search_at(search, p, 0, 4).score));
        // The verdict on the root follows the same law, and does not forget the game so far.
        CHECK(search_at(search, p, 0, 1).egdb == result);
        CHECK_FALSE(search_at(search, p, limit - *result->dtw + 1, 1).egdb);
    }
}

TEST_CASE("the draw law spoils wins that take too long with kings alone", "[search][games]") {
    const auto is_spoiled = []<class Rules>(Rules, const char* fen, int plies, int reversible) {
        const auto p = parse_fen(rules_of<Rules>, fen);
        REQUIRE(p);
        return is_spoiled_by_law<Rules>(*p, plies, reversible);
    };
    const char* kings = "W:WK32,K31,K30,K29:BK1,K5";
    CHECK_FALSE(is_spoiled(Russian(), kings, 9, 20));
    CHECK(is_spoiled(Russian(), kings, 10, 20));
    CHECK(is_spoiled(Russian(), kings, 1, 29));
    // The game has gone on after the draw.
    CHECK_FALSE(is_spoiled(Russian(), kings, 10, 30));
    CHECK_FALSE(is_spoiled(English(), kings, 58, 20));
    CHECK(is_spoiled(English(), kings, 59, 20));
    CHECK_FALSE(is_spoiled(English(), "W:WK32,K31,K30,29:BK1,K5", 59, 20));
    // Two pieces against a king have five moves each, three have fifteen.
    CHECK(is_spoiled(Russian(), "W:WK32,K31:BK1", 6, 4));
    CHECK_FALSE(is_spoiled(Russian(), "W:WK32,K31,K30:BK1", 6, 4));
}

TEST_CASE("a search counts each ply towards the draw law once", "[search][english]") {
    // The win takes longer than the search sees, so only the law ends its lines.
    const auto p = parse_fen(rules_of<English>, "W:WK23,K27:BK1");
    REQUIRE(p);
    TranspositionTable table;
    Search<English> search(table);
    const int limit = reversible_limit<English>(*p);
    constexpr int depth = 4;
    const auto is_draw = [](Score score) { return std::abs(score) <= DrawByLawScore::limit; };
    CHECK(is_draw(search_at(search, *p, limit - depth, depth).score));
    CHECK_FALSE(is_draw(search_at(search, *p, limit - depth - 1, depth).score));
}

TEST_CASE("a window without the draw law is the window of the scores of draws", "[search]") {
    for (Score alpha = -DrawByLawScore::limit - 2; alpha < DrawByLawScore::limit; ++alpha)
        for (Score beta = std::max(alpha, -DrawByLawScore::limit) + 1;
             beta <= DrawByLawScore::limit + 2; ++beta)
            for (Score score = -400; score <= 400; ++score) {
                const Score draw = DrawByLawScore::of(score);
                CAPTURE(alpha, beta, score);
                REQUIRE((draw > alpha) == (score > DrawByLawScore::alpha_without_law(alpha)));
                REQUIRE((draw >= beta) == (score >= DrawByLawScore::beta_without_law(beta)));
            }
    CHECK(DrawByLawScore::of(lost_in(1)) == -DrawByLawScore::limit);
    CHECK(DrawByLawScore::of(-lost_in(1)) == DrawByLawScore::limit);
    CHECK(DrawByLawScore::of(score_draw) == score_draw);
}

TEST_CASE("positions without kings share their entries, however deep the search is", "[search]") {
    const auto men = parse_fen(rules_of<Brazilian>, "W:W21,22,23:B9,10,11");
    const auto king = parse_fen(rules_of<Brazilian>, "W:W21,22,K23:B9,10,11");
    REQUIRE(men);
    REQUIRE(king);
    CHECK(draw_law_key<Brazilian>(*men, 0, 30) == 0);
    CHECK(draw_law_key<Brazilian>(*king, 0, 30) != 0);
}

TEMPLATE_TEST_CASE("nothing is given away because the draw law is near",
                   "[search][games][strength]", English, Italian, Russian, Brazilian) {
    Random random(13);
    TranspositionTable table(1);
    Search<TestType> search(table);
    // True when the move that a search to depth 6 plays loses material, or more.
    const auto gives_away = [&](const Position& p, int reversible) {
        const SearchResult result = search_at(search, p, reversible, 6);
        REQUIRE(result.move);
        return search_at(search, after<TestType>(p, *result.move), 0, 5).score > 150;
    };
    constexpr int positions = 300;
    int level = 0;
    int given_away = 0;
    int choices_that_give_away = 0;
    while (level < positions) {
        const Position p = testing::random_position(random, 100);
        if (count(p.black) != count(p.white) || count(p.black) > 3 || find_fault(p)) continue;
        MoveList moves;
        generate_moves<TestType>(p, moves);
        if (moves.size() < 2 || moves[0].is_capture() || (p.occupied() & ~p.kings) != 0) continue;
        if (std::abs(search_at(search, p, 0, 6).score) > 100) continue;
        ++level;
        for (const Move& move : moves)
            choices_that_give_away += search_at(search, after<TestType>(p, move), 0, 3).score > 150;
        // The side to move completes the count, or the opponent does, or it is complete already;
        // but the game may go on.
        for (const int left : {1, 2, 3, 0, -1})
            given_away += gives_away(p, reversible_limit<TestType>(p) - left);
    }
    CHECK(choices_that_give_away > positions);
    CHECK(given_away <= 2);
}

namespace {

/// True when the game can be drawn by the law with this move, after so many plies without progress,
/// or with the reply.
template <class Rules>
bool can_be_drawn_by_law(const Position& p, const Move& move, int reversible) {
    if (!is_reversible(p, move)) return false;
    const Position next = after<Rules>(p, move);
    if (is_drawn_by_law<Rules>(next, reversible + 1)) return true;
    MoveList replies;
    generate_moves<Rules>(next, replies);
    return std::any_of(replies.begin(), replies.end(), [&](const Move& reply) {
        return is_reversible(next, reply) &&
               is_drawn_by_law<Rules>(after<Rules>(next, reply), reversible + 2);
    });
}

}  // namespace

TEMPLATE_TEST_CASE("with men a known win makes progress before the draw law, and a known loss none",
                   "[search][games]", English, Russian) {
    const Endgames<TestType> endgames({});
    TranspositionTable table(1);
    Search<TestType> search(table);
    search.use(&endgames);
    constexpr std::size_t many = 10'000;
    Random random(14);
    int won = 0;
    int lost = 0;
    while (won < 100 || lost < 100) {
        const Position p = testing::random_position(random, 60);
        if (count(p.occupied()) != 4 || find_fault(p) || (p.own() & p.kings) == 0) continue;
        const auto value = endgames.resolve(p, many);
        if (!value || value->wld == Wld::draw) continue;
        MoveList moves;
        generate_moves<TestType>(p, moves);
        int reversible_moves = 0;
        int sound_progress = 0;  // moves of men that keep the win
        for (const Move& move : moves) {
            if (is_reversible(p, move))
                ++reversible_moves;
            else if (endgames.resolve(after<TestType>(p, move), many)->wld == Wld::loss)
                ++sound_progress;
        }
        if (reversible_moves == 0 || moves.size() == static_cast<std::size_t>(reversible_moves))
            continue;
        const int limit = reversible_limit<TestType>(p);
        INFO(to_fen(rules_of<TestType>, p));
        if (value->wld == Wld::loss && lost < 100) {
            ++lost;
            const auto move = search_at(search, p, limit - 1, 4).move;
            REQUIRE(move);
            CHECK(is_reversible(p, *move));
        } else if (value->wld == Wld::win && sound_progress > 0 && won < 100) {
            ++won;
            for (const int left : {1, 2}) {
                const auto move = search_at(search, p, limit - left, 4).move;
                REQUIRE(move);
                CAPTURE(left);
                CHECK_FALSE(can_be_drawn_by_law<TestType>(p, *move, limit - left));
                CHECK(endgames.resolve(after<TestType>(p, *move), many)->wld == Wld::loss);
            }
        }
    }
}
