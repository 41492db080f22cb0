#include <algorithm>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

#include "hints_support.hpp"

using namespace defiance;

namespace {

SearchResult search_with(const Position& p, int depth, HintingObserver& observer,
                         bool all_scores = false) {
    TranspositionTable table(4);
    Search<English> searcher(table);
    SearchLimits limits;
    limits.depth = depth;
    limits.all_scores = all_scores;
    return searcher.run({&p, 1}, limits, observer);
}

SearchResult search_with(const Position& p, int depth, const SearchHints& hints,
                         std::uint64_t from = 0) {
    HintingObserver observer(hints, from);
    return search_with(p, depth, observer);
}

constexpr const char* opening_positions[] = {
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
    "B:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,14",
    "W:W18,22,24,25,27,28,29,30,31,32:B1,2,3,5,6,7,9,11,12,16",
    "B:W15,17,21,26,27,30,31,32:B2,3,5,6,8,9,12,20",
    "W:W22,25,29,30,31:B5,9,12,13,20",
};

}  // namespace

TEST_CASE("a hinted move is played unless another is better by more than the margin", "[search]") {
    constexpr int depth = 10;
    int kept = 0;
    int refuted = 0;
    for (const char* fen : opening_positions) {
        const Position p = hinted_position(fen);
        HintingObserver ranking(SearchHints{});
        static_cast<void>(search_with(p, depth, ranking, true));
        for (std::size_t i = 1; i < ranking.moves.size(); ++i) {
            const RootMove& root_move = ranking.moves[i];
            const Score worse = ranking.moves.front().score - root_move.score;
            // The scores of two searches differ a little.
            const bool is_near = worse < hint_margin / 2;
            if (!is_near && worse < 2 * hint_margin) continue;
            INFO(fen << ' ' << to_text(rules_of<English>, p, root_move.move) << ' ' << worse);
            for (const std::uint64_t from : {0, 500}) {
                SearchHints hints;
                hints.move = root_move.move;
                const SearchResult result = search_with(p, depth, hints, from);
                CHECK((result.move == root_move.move) == is_near);
                CHECK(result.line.front() == *result.move);
                CHECK_FALSE(result.is_trusted);
            }
            ++(is_near ? kept : refuted);
        }
    }
    CHECK(kept >= 3);
    CHECK(refuted >= 3);
}

TEST_CASE("a trusted move ends the search, also in its middle", "[search]") {
    const Position p = hinted_position(opening_positions[0]);
    SearchHints hints;
    hints.move = hinted_move(p, "12-16");
    hints.is_trusted = true;
    const SearchResult at_once = search_with(p, 9, hints);
    CHECK(at_once.move == hints.move);
    CHECK(at_once.is_trusted);
    CHECK(at_once.nodes == 0);
    CHECK(at_once.depth == 0);
    const SearchResult later = search_with(p, 20, hints, 5000);
    CHECK(later.move == hints.move);
    CHECK(later.is_trusted);
    CHECK(later.nodes >= 5000);
    CHECK(later.nodes < 10000);
}

TEST_CASE("with all scores hinted moves mean nothing", "[search]") {
    const Position p = hinted_position(opening_positions[0]);
    SearchHints hints;
    hints.move = hinted_move(p, "12-16");
    for (const bool is_trusted : {false, true}) {
        hints.is_trusted = is_trusted;
        HintingObserver hinting(hints);
        HintingObserver silent(SearchHints{});
        const SearchResult result = search_with(p, 7, hinting, true);
        CHECK(result.move == search_with(p, 7, silent, true).move);
        CHECK(result.move != hints.move);
    }
}

TEST_CASE("a hinted line goes into the table as moves, never as scores", "[search]") {
    const Position p = hinted_position(opening_positions[0]);
    SearchHints hints;
    Position end = p;
    for (const char* text : {"9-13", "22-18", "12-16", "18-14", "10x17"}) {
        hints.line.push_back(hinted_move(end, text));
        end = after<English>(end, hints.line.back());
    }
    hints.score = 5000;  // far from the truth
    hints.depth = 40;
    TranspositionTable table(4);
    Search<English> searcher(table);
    SearchLimits limits;
    limits.depth = 1;
    HintingObserver observer(hints);
    static_cast<void>(searcher.run({&p, 1}, limits, observer));
    Position at = after<English>(p, hints.line[0]);
    for (std::size_t i = 1; i < hints.line.size(); ++i) {
        const auto hit = table.probe(key_of(at), 0);
        REQUIRE(hit);
        CHECK(hit->move.matches(hints.line[i]));
        CHECK(hit->bound == Bound::none);
        at = after<English>(at, hints.line[i]);
    }
    for (const int depth : {5, 9}) {
        const SearchResult plain = search_with(p, depth, SearchHints{});
        const SearchResult hinted = search_with(p, depth, hints);
        CHECK(hinted.move == plain.move);
        CHECK(std::abs(hinted.score - plain.score) < hint_margin);
    }
}

TEST_CASE("a false score for a won position changes nothing", "[search]") {
    const Position p = hinted_position("W:W18,26:B15");
    SearchHints hints;
    hints.score = -evaluation_limit;
    hints.depth = 99;
    const SearchResult result = search_with(p, 9, hints);
    CHECK(is_proven_win(result.score));
    CHECK(result.score == search_with(p, 9, SearchHints{}).score);
}

TEST_CASE("hints that restrict the moves hold from any time on", "[search]") {
    const Position p = hinted_position(opening_positions[0]);
    SearchHints hints;
    hints.search_moves = {hinted_move(p, "9-13"), hinted_move(p, "12-16")};
    for (const std::uint64_t from : {0, 1500, 3000}) {
        const SearchResult result = search_with(p, 9, hints, from);
        CHECK((result.move == hints.search_moves[0] || result.move == hints.search_moves[1]));
        CHECK(result.is_restricted);
        CHECK(result.score > -score_of_man);
    }
    // A move outside of them is not played, however it is hinted.
    hints.move = hinted_move(p, "11-15");
    for (const bool is_trusted : {false, true}) {
        hints.is_trusted = is_trusted;
        CHECK(search_with(p, 5, hints).move != hints.move);
    }
}

TEST_CASE("a later restriction takes the place of an earlier one", "[search]") {
    /// Restricts the moves before the search, and otherwise after some thousand nodes.
    class Changing : public HintingObserver {
    public:
        Changing(SearchHints first, SearchHints then)
            : HintingObserver(std::move(first)), then_(std::move(then)), second_(then_, 2000) {}
        bool must_stop(std::uint64_t nodes) override {
            static_cast<void>(second_.must_stop(nodes));
            return HintingObserver::must_stop(nodes);
        }
        const SearchHints* new_hints() override {
            const SearchHints* first = HintingObserver::new_hints();
            return first != nullptr ? first : second_.new_hints();
        }

    private:
        SearchHints then_;
        HintingObserver second_;
    };
    const Position p = hinted_position(opening_positions[0]);
    const auto moves_of = [&](const std::vector<std::string_view>& texts) {
        std::vector<Move> moves;
        for (const std::string_view text : texts)
            moves.push_back(hinted_move(p, text));
        return moves;
    };
    SearchHints first;
    SearchHints then;
    then.search_moves = moves_of({"9-13", "12-16"});
    for (const auto& before : {moves_of({"11-15", "9-13"}), moves_of({"9-13"}),
                               moves_of({"11-15", "10-14"}), then.search_moves}) {
        first.search_moves = before;
        Changing observer(first, then);
        const SearchResult result = search_with(p, 11, observer, true);
        CHECK(result.is_restricted);
        REQUIRE(observer.moves.size() == 2);
        for (const Move& move : then.search_moves)
            CHECK(std::any_of(observer.moves.begin(), observer.moves.end(), [&](const RootMove& m) {
                return m.move == move && m.score > -score_of_man;
            }));
    }
}

TEST_CASE("a restriction can be taken back during a search", "[search]") {
    class TakingBack : public HintingObserver {
    public:
        explicit TakingBack(SearchHints first) : HintingObserver(std::move(first)) {}
        bool must_stop(std::uint64_t nodes) override {
            static_cast<void>(nothing_.must_stop(nodes));
            return HintingObserver::must_stop(nodes);
        }
        const SearchHints* new_hints() override {
            const SearchHints* first = HintingObserver::new_hints();
            return first != nullptr ? first : nothing_.new_hints();
        }

    private:
        HintingObserver nothing_{SearchHints{}, 2000};
    };
    const Position p = hinted_position(opening_positions[0]);
    SearchHints first;
    first.search_moves = {hinted_move(p, "9-13"), hinted_move(p, "12-16")};
    TakingBack observer(first);
    static_cast<void>(search_with(p, 9, observer, true));
    CHECK(observer.moves.size() == 7);
    for (const RootMove& move : observer.moves)
        CHECK(move.score > -score_of_man);
}

TEST_CASE("hints are forgotten with the search they came in", "[search]") {
    const Position p = hinted_position(opening_positions[0]);
    TranspositionTable table(4);
    Search<English> searcher(table);
    SearchLimits limits;
    limits.depth = 7;
    SearchHints hints;
    hints.search_moves = {hinted_move(p, "12-16")};
    HintingObserver observer(hints);
    CHECK(searcher.run({&p, 1}, limits, observer).move == hints.search_moves[0]);
    SearchObserver silent;
    const SearchResult result = searcher.run({&p, 1}, limits, silent);
    CHECK(result.move != hints.search_moves[0]);
    CHECK_FALSE(result.is_restricted);
}

TEST_CASE("a restriction that comes too late does not give a move the score of another",
          "[search]") {
    // The winning move is found; then the choice is restricted to a move that gives a king away,
    // and the search is stopped at once or after the iteration.
    const Position p = hinted_position("W:WK9,K18,30:BK1,12");
    const Move poor = hinted_move(p, "9-6");
    class LateObserver : public SearchObserver {
    public:
        LateObserver(const Move& only, bool stops_at_once) : stops_at_once_(stops_at_once) {
            hints_.search_moves = {only};
        }
        bool must_stop(std::uint64_t) override { return is_given_ && stops_at_once_; }
        bool may_go_deeper(const SearchReport&) override { return !is_given_; }
        const SearchHints* new_hints() override {
            if (!is_won_ || is_given_) return nullptr;
            is_given_ = true;
            return &hints_;
        }
        void report(const SearchReport& report) override { is_won_ |= is_proven_win(report.score); }

        [[nodiscard]] bool is_given() const { return is_given_; }

    private:
        SearchHints hints_;
        bool stops_at_once_;
        bool is_won_ = false;
        bool is_given_ = false;
    };
    for (const bool stops_at_once : {false, true}) {
        LateObserver observer(poor, stops_at_once);
        TranspositionTable table(4);
        Search<English> searcher(table);
        SearchLimits limits;
        limits.nodes = 20'000'000;
        const SearchResult result = searcher.run({&p, 1}, limits, observer);
        REQUIRE(observer.is_given());
        CHECK(result.move == poor);
        CHECK(result.line == std::vector<Move>{poor});
        CHECK_FALSE(is_proven_win(result.score));
        CHECK_FALSE(result.has_score);
        CHECK(result.is_restricted);
    }
}

TEST_CASE("where hints leave only moves that lose a known draw, the databases tell it",
          "[search][hints]") {
    // They come before the search, or while the moves that draw are searched.
    const std::uint64_t from = GENERATE(0U, 1U);
    for (const char* fen : {"B:W31,K1,9:B2,K18", "B:W21,13,K9:BK1,K3"}) {
        INFO(fen);
        const Position p = hinted_position(fen);
        const Endgames<English> endgames({});
        const auto known = endgames.resolve(p, 4000);
        REQUIRE(known);
        REQUIRE(known->wld == Wld::draw);
        MoveList moves;
        generate_moves<English>(p, moves);
        SearchHints hints;
        for (const Move& move : moves) {
            const auto next = endgames.resolve(after<English>(p, move), 4000);
            if (next && next->wld == Wld::win) hints.search_moves.push_back(move);
        }
        REQUIRE_FALSE(hints.search_moves.empty());
        HintingObserver observer(hints, from);
        TranspositionTable table(4);
        Search<English> searcher(table);
        searcher.use(&endgames);
        SearchLimits limits;
        limits.nodes = 100'000;
        const SearchResult found = searcher.run({&p, 1}, limits, observer);
        REQUIRE(found.move);
        CHECK(permits(hints.search_moves, *found.move));
        CHECK(found.score <= -min_known_win);
    }
}
