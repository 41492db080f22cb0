// Hints that come in the last iteration, or when the search is over and the engine only waits until
// the set time.

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/engine/engine.hpp>
#include <defiance/engine/hint_mailbox.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

using namespace defiance;

namespace {

/// Wants the move when it is told so.
class ToldObserver : public EngineObserver {
public:
    bool interrupted() override { return is_move_wanted; }
    void show(const SearchInfo& info) override { shown = info; }

    bool is_move_wanted = false;
    SearchInfo shown;
};

Move start_move(std::string_view text) {
    const Result<Move> move =
        parse_move(rules_of<English>, rules_of<English>.start_position(), text);
    REQUIRE(move);
    return *move;
}

/// Its first search finds a win at depth 40 and ends by itself; hints come. The second one finds
/// another move at depth 3, and is cut short unless it shall end by itself, too.
class TwoSearches final : public GameSearch {
public:
    void use(const EndgameDatabases*) override {}
    void use(const Network&) override {}

    SearchResult run(std::span<const Position> history, const SearchLimits&,
                     SearchObserver& observer) override {
        const SearchHints* const news = observer.new_hints();
        if (++runs == 1) {
            mailbox.change(history.back(), late);
            if (reads_late_hints) {
                // As in the last iteration, after which the best move that is left is not searched.
                const SearchHints* const read = observer.new_hints();
                REQUIRE(read != nullptr);
                if (!read->search_moves.empty()) return found(read->search_moves.front(), 0, 0);
            }
            return found(deep, 40, score_win - 9);
        }
        SearchResult result = found(shallow, 3, 15);
        result.is_trusted = news != nullptr && news->is_trusted;
        observer_of_game.is_move_wanted = true;
        if (!ends_by_itself) CHECK(observer.must_stop(1));
        return result;
    }

    /// Thinks about the start position until the second search is over.
    EngineResult think(const std::function<void(Hints&)>& late_hints) {
        late = late_hints;
        const Position here = rules_of<English>.start_position();
        HintReader reader(mailbox, here, policy, false);
        const EngineResult result =
            think_with(*this, Game(rules_of<English>, here), SearchLimits{},
                       {TimeMode::exact, 3600, 0, 0}, observer_of_game, Stopwatch(), &reader);
        CHECK(runs == 2);
        // What is played was shown last.
        CHECK(observer_of_game.shown.is_last);
        CHECK(observer_of_game.shown.depth == result.last.depth);
        CHECK(observer_of_game.shown.score == result.last.score);
        CHECK(result.last.line == std::vector<Move>{*result.move});
        return result;
    }

    const Move deep = start_move("11-15");
    const Move shallow = start_move("12-16");
    HintPolicy policy = HintPolicy::verify;
    bool ends_by_itself = false;
    bool reads_late_hints = false;
    HintMailbox mailbox;

private:
    static SearchResult found(const Move& move, int depth, Score score) {
        SearchResult result;
        result.move = move;
        result.depth = depth;
        result.score = score;
        result.line = {move};
        return result;
    }

    std::function<void(Hints&)> late;
    ToldObserver observer_of_game;
    int runs = 0;
};

}  // namespace

TEST_CASE("a hint just before the end does not replace what a deeper search has found",
          "[engine][hints]") {
    TwoSearches search;
    const EngineResult result =
        search.think([&](Hints& hints) { hints.book_move = search.shallow; });
    CHECK(result.move == search.deep);
    CHECK(result.last.depth == 40);
    CHECK(is_proven_win(result.last.score));
    CHECK(result.proven == Claim::win);
    CHECK_FALSE(result.last.hint);
}

TEST_CASE("a move that is hinted after it was found is shown as hinted", "[engine][hints]") {
    TwoSearches search;
    const EngineResult result = search.think([&](Hints& hints) { hints.book_move = search.deep; });
    CHECK(result.move == search.deep);
    CHECK(result.last.depth == 40);
    CHECK(result.last.hint == HintSource::book);
}

TEST_CASE("a restriction just before the end holds, and the depth shown is that of its search",
          "[engine][hints]") {
    for (const bool leaves_both : {false, true}) {
        TwoSearches search;
        const EngineResult result = search.think([&](Hints& hints) {
            hints.search_moves = {search.shallow};
            if (leaves_both) hints.search_moves.push_back(search.deep);
        });
        CHECK(result.move == (leaves_both ? search.deep : search.shallow));
        CHECK(result.last.depth == (leaves_both ? 40 : 3));
        CHECK(result.proven == (leaves_both ? Claim::win : Claim::none));
    }
}

TEST_CASE("a move that was the only choice does not stay when the restriction is lifted",
          "[engine][hints]") {
    TwoSearches search;
    search.mailbox.change(rules_of<English>.start_position(),
                          [&](Hints& hints) { hints.search_moves = {search.deep}; });
    const EngineResult result = search.think([](Hints& hints) { hints.search_moves.clear(); });
    CHECK(result.move == search.shallow);
    CHECK(result.last.depth == 3);
}

TEST_CASE("a trusted hint just before the end is played", "[engine][hints]") {
    TwoSearches search;
    search.policy = HintPolicy::trust;
    const EngineResult result =
        search.think([&](Hints& hints) { hints.book_move = search.shallow; });
    CHECK(result.move == search.shallow);
    CHECK(result.last.hint == HintSource::book);
}

TEST_CASE("a search with late hints counts at any depth when it ends by itself",
          "[engine][hints]") {
    TwoSearches search;
    search.ends_by_itself = true;
    const EngineResult result =
        search.think([&](Hints& hints) { hints.book_move = search.shallow; });
    CHECK(result.move == search.shallow);
    CHECK(result.last.depth == 3);
}

TEST_CASE("hints that the last iteration has read are searched with", "[engine][hints]") {
    {
        TwoSearches search;
        search.reads_late_hints = true;
        const EngineResult result =
            search.think([&](Hints& hints) { hints.search_moves = {search.shallow}; });
        CHECK(result.move == search.shallow);
        CHECK(result.last.depth == 3);
    }
    TwoSearches search;
    search.reads_late_hints = true;
    search.policy = HintPolicy::trust;
    const EngineResult result =
        search.think([&](Hints& hints) { hints.book_move = search.shallow; });
    CHECK(result.move == search.shallow);
    CHECK(result.last.hint == HintSource::book);
}
