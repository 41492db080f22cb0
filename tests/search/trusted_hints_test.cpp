#include <vector>

#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

#include "hints_support.hpp"

using namespace defiance;

TEST_CASE("endgame databases refute a trusted move, and no other", "[search]") {
    const Endgames<English> endgames({});
    REQUIRE(endgames.pieces() >= 4);
    TranspositionTable table(1);
    Search<English> searcher(table);
    searcher.use(&endgames);
    SearchLimits limits;
    limits.depth = 4;
    const auto is_played = [&](const Position& p, const Move& move) {
        SearchHints hints;
        hints.move = move;
        hints.is_trusted = true;
        HintingObserver observer(hints);
        const SearchResult result = searcher.run({&p, 1}, limits, observer);
        CHECK(result.is_trusted == (result.move == move));
        return result.is_trusted;
    };
    // 23-27 gives the only king away, 23-26 gets it shut in.
    const Position p = hinted_position("W:WK23:BK32");
    for (const char* text : {"23-18", "23-19"})
        CHECK(is_played(p, hinted_move(p, text)));
    for (const char* text : {"23-26", "23-27"})
        CHECK_FALSE(is_played(p, hinted_move(p, text)));
    // Where all moves lose, none is refuted.
    const Position lost = hinted_position("B:WK18,K23:BK1");
    const auto value = endgames.resolve(lost, 10000);
    REQUIRE(value);
    REQUIRE(value->wld == Wld::loss);
    for (const char* text : {"1-5", "1-6"})
        CHECK(is_played(lost, hinted_move(lost, text)));
}

TEST_CASE("a trusted move is refuted for want of time, too", "[search]") {
    class LateObserver : public HintingObserver {
    public:
        using HintingObserver::HintingObserver;
        bool must_stop(std::uint64_t) override { return true; }
    };
    const Endgames<English> endgames({});
    // 10-6 only draws.
    const Position p = hinted_position("B:W17,K9:B8,K10,24");
    SearchHints hints;
    hints.move = hinted_move(p, "10-6");
    hints.is_trusted = true;
    TranspositionTable table(1);
    Search<English> searcher(table);
    searcher.use(&endgames);
    LateObserver observer(hints);
    const SearchResult result = searcher.run({&p, 1}, {}, observer);
    CHECK_FALSE(result.is_trusted);
    REQUIRE(result.move);
    CHECK(result.move != hints.move);
}

TEST_CASE("a trusted move that gives a win away by repetition is refuted", "[search]") {
    const Endgames<English> endgames({});
    TranspositionTable table(1);
    Search<English> searcher(table);
    searcher.use(&endgames);
    std::vector<Position> history = {hinted_position("W:WK18,K19:BK1")};
    SearchHints hints;
    hints.move = hinted_move(history.front(), "18-22");
    hints.is_trusted = true;
    SearchLimits limits;
    limits.depth = 4;
    for (int occurred = 0; occurred <= 2; ++occurred) {
        HintingObserver observer(hints);
        CAPTURE(occurred);
        CHECK(searcher.run(history, limits, observer).is_trusted == (occurred < 2));
        for (const char* text : {"18-22", "1-5", "22-18", "5-1"})
            history.push_back(after<English>(history.back(), hinted_move(history.back(), text)));
    }
}

TEST_CASE("a trusted draw is not refuted by a win that a repetition spoils", "[search]") {
    const Endgames<English> endgames({});
    TranspositionTable table(1);
    Search<English> searcher(table);
    searcher.use(&endgames);
    SearchHints hints;
    SearchLimits limits;
    limits.depth = 4;
    // Of all moves 29-25 alone wins. With 19-15 as the reply the first position of the game comes
    // again.
    std::vector<Position> history = {hinted_position("W:WK25,K20:BK15")};
    for (int occurred = 1; occurred <= 2; ++occurred) {
        for (const char* text : {"25-29", "15-19"})
            history.push_back(after<English>(history.back(), hinted_move(history.back(), text)));
        hints.move = hinted_move(history.back(), "20-16");
        hints.is_trusted = true;
        HintingObserver observer(hints);
        CAPTURE(occurred);
        CHECK(searcher.run(history, limits, observer).is_trusted == (occurred == 2));
        for (const char* text : {"29-25", "19-15"})
            history.push_back(after<English>(history.back(), hinted_move(history.back(), text)));
    }
}

TEST_CASE("a trusted move is not refuted by one that may not be played", "[search]") {
    const Endgames<English> endgames({});
    TranspositionTable table(1);
    Search<English> searcher(table);
    searcher.use(&endgames);
    // 23-26 and 23-27 lose, 23-18 draws.
    const Position p = hinted_position("W:WK23:BK32");
    const std::vector<Move> lost = {hinted_move(p, "23-26"), hinted_move(p, "23-27")};
    const std::vector<Move> one_draws = {lost[0], hinted_move(p, "23-18")};
    for (const bool by_hint : {false, true})
        for (const auto& permitted : {lost, one_draws}) {
            SearchHints hints;
            hints.move = lost[0];
            hints.is_trusted = true;
            SearchLimits limits;
            limits.depth = 4;
            (by_hint ? hints.search_moves : limits.search_moves) = permitted;
            HintingObserver observer(hints);
            const SearchResult result = searcher.run({&p, 1}, limits, observer);
            CAPTURE(by_hint);
            CHECK(result.is_trusted == (permitted == lost));
            CHECK(result.move == (permitted == lost ? lost[0] : one_draws[1]));
        }
}
