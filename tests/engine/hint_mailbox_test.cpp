#include <catch2/catch.hpp>

#include <string>

#include <defiance/engine/engine.hpp>
#include <defiance/engine/hint_mailbox.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>

using namespace defiance;

namespace {

constexpr TimeControl no_time_limit{TimeMode::unlimited, 0, 0, 0};

Move english_move(const Position& p, std::string_view text) {
    const Result<Move> move = parse_move(rules_of<English>, p, text);
    REQUIRE(move);
    return *move;
}

Position english_start() {
    return rules_of<English>.start_position();
}

/// Interrupts when depth 8 has been reached: an endless think has no other end.
class InterruptingObserver : public EngineObserver {
public:
    bool interrupted() override { return is_deep_; }
    void show(const SearchInfo& info) override { is_deep_ = info.depth >= 8; }

private:
    bool is_deep_ = false;
};

/// An engine that searches little and always the same.
class ShallowEngine {
public:
    ShallowEngine() : engine(core_of<English>, "") {
        REQUIRE(engine.set_hash_mebibytes(2));
        engine.set_depth_limit(9);
    }
    EngineResult think(const TimeControl& control = no_time_limit) {
        InterruptingObserver observer;
        return engine.think(english_start(), control, observer);
    }

    Engine engine;
};

}  // namespace

TEST_CASE("a mailbox keeps the hints of one position", "[engine][hints]") {
    const Position first = english_start();
    const Position second = rules_of<English>.after(first, english_move(first, "11-15"));
    const Move move = english_move(first, "9-13");
    HintMailbox mailbox;
    CHECK_FALSE(mailbox.pending());
    mailbox.change(first, [&](Hints& hints) { hints.book_move = move; });
    mailbox.change(first, [&](Hints& hints) { hints.search_moves = {move}; });
    REQUIRE(mailbox.pending());
    CHECK(mailbox.pending()->hints.book_move == move);
    CHECK(mailbox.pending()->hints.search_moves.size() == 1);
    mailbox.change(second, [](Hints&) {});
    CHECK_FALSE(mailbox.pending());
    mailbox.change(second, [&](Hints& hints) { hints.search_moves = {move}; });
    CHECK(mailbox.pending()->position == second);
    CHECK_FALSE(mailbox.pending()->hints.book_move);
    mailbox.clear();
    CHECK_FALSE(mailbox.pending());
}

TEST_CASE("a reader gets what waits and what comes, once, and leaves what is not its own",
          "[engine][hints]") {
    const Position here = english_start();
    const Position next = rules_of<English>.after(here, english_move(here, "11-15"));
    const Move move = english_move(here, "9-13");
    HintMailbox mailbox;
    mailbox.change(here, [&](Hints& hints) { hints.book_move = move; });
    {
        HintReader reader(mailbox, here, HintPolicy::verify, false);
        const SearchHints* news = reader.news();
        REQUIRE(news != nullptr);
        CHECK(news->move == move);
        CHECK_FALSE(news->is_trusted);
        CHECK(reader.news() == nullptr);
        CHECK(reader.source_of(move) == HintSource::book);
        mailbox.change(here, [&](Hints& hints) { hints.endgame_move = move; });
        REQUIRE(reader.news() != nullptr);
        CHECK(reader.source_of(move) == HintSource::endgames);
        // What is about another position leaves those in use alone, also when more of them come.
        mailbox.change(next, [](Hints& hints) { hints.line = LineHint{}; });
        CHECK(reader.news() == nullptr);
        mailbox.change(here, [&](Hints& hints) { hints.search_moves = {move}; });
        news = reader.news();
        REQUIRE(news != nullptr);
        CHECK(news->move == move);
        CHECK(reader.source_of(move) == HintSource::endgames);
        CHECK(mailbox.pending()->position == next);
    }
    CHECK(mailbox.pending());  // it is about the next position
    { const HintReader reader(mailbox, here, HintPolicy::verify, false); }
    CHECK_FALSE(mailbox.pending());
}

TEST_CASE("hints that are cleared are forgotten by a move under way, too", "[engine][hints]") {
    const Position here = english_start();
    const Move move = english_move(here, "9-13");
    HintMailbox mailbox;
    mailbox.change(here, [&](Hints& hints) { hints.book_move = move; });
    HintReader reader(mailbox, here, HintPolicy::verify, false);
    REQUIRE(reader.news() != nullptr);
    mailbox.clear();
    const SearchHints* const news = reader.news();
    REQUIRE(news != nullptr);
    CHECK_FALSE(news->move);
    CHECK_FALSE(reader.has_effect());
}

TEST_CASE("policies and analysis decide what a search is told", "[engine][hints]") {
    const Position p = english_start();
    const Move move = english_move(p, "9-13");
    const auto told = [&](HintPolicy policy, bool is_analysis) {
        HintMailbox mailbox;
        mailbox.change(p, [&](Hints& hints) {
            hints.book_move = move;
            hints.line = LineHint{evaluation_limit + 1, 9, {move}};
            hints.search_moves = {move};
        });
        HintReader reader(mailbox, p, policy, is_analysis);
        const SearchHints* const news = reader.news();
        REQUIRE(news != nullptr);
        CHECK(reader.leaves_one_of({}));
        CHECK(reader.leaves_one_of({move, english_move(p, "11-15")}));
        CHECK_FALSE(reader.leaves_one_of({english_move(p, "9-14"), english_move(p, "11-15")}));
        CHECK(news->search_moves.size() == 1);
        CHECK_FALSE(news->score);  // a score of a won position predicts none of ours
        CHECK(news->line.empty() == (policy == HintPolicy::ignore));
        return *news;
    };
    CHECK(told(HintPolicy::trust, false).is_trusted);
    CHECK(told(HintPolicy::verify, false).move == move);
    CHECK_FALSE(told(HintPolicy::verify, false).is_trusted);
    CHECK_FALSE(told(HintPolicy::ignore, false).move);
    CHECK_FALSE(told(HintPolicy::trust, true).move);
    CHECK_FALSE(told(HintPolicy::trust, true).is_trusted);
}

TEST_CASE("policies have names", "[engine][hints]") {
    for (const HintPolicy policy : {HintPolicy::trust, HintPolicy::verify, HintPolicy::ignore})
        CHECK(find_hint_policy(name_of(policy)) == policy);
    for (const char* name : {"", "Trust", "trusts", "0"})
        CHECK_FALSE(find_hint_policy(name));
}

TEST_CASE("an engine takes legal hints only, and cuts a line at the first illegal move",
          "[engine][hints]") {
    ShallowEngine shallow;
    Engine& engine = shallow.engine;
    const Position p = english_start();
    const Move legal = english_move(p, "9-13");
    const Move illegal{0, 0, 31, false};
    CHECK_FALSE(engine.hint_move(p, HintSource::book, illegal));
    CHECK_FALSE(engine.restrict_moves(p, {legal, illegal}));
    CHECK(engine.hint_line(p, {0, 1, {illegal}}) == 0);
    CHECK(engine.hint_line(p, {0, 1, {}}) == 0);
    CHECK_FALSE(engine.pending_hints());
    CHECK(engine.hint_line(p, {0, 1, {legal, illegal, legal}}) == 1);
    CHECK(engine.restrict_moves(p, {legal, legal}));
    REQUIRE(engine.pending_hints());
    CHECK(engine.pending_hints()->hints.line->moves.size() == 1);
    CHECK(engine.pending_hints()->hints.search_moves.size() == 1);
}

TEST_CASE("a hinted move is used once", "[engine][hints]") {
    ShallowEngine shallow;
    shallow.engine.set_hint_policy(HintPolicy::trust);
    const Position p = english_start();
    const Move move = english_move(p, "12-16");
    REQUIRE(shallow.engine.hint_move(p, HintSource::book, move));
    const EngineResult hinted = shallow.think();
    CHECK(hinted.move == move);
    CHECK(hinted.last.hint == HintSource::book);
    CHECK_FALSE(hinted.last.has_score);
    CHECK(hinted.proven == Claim::none);
    CHECK_FALSE(shallow.engine.pending_hints());
    const EngineResult plain = shallow.think();
    CHECK(plain.move != move);
    CHECK_FALSE(plain.last.hint);
    CHECK(plain.last.has_score);
}

TEST_CASE("a trusted move is not held back until a set time", "[engine][hints]") {
    ShallowEngine shallow;
    shallow.engine.set_hint_policy(HintPolicy::trust);
    const Position p = english_start();
    REQUIRE(shallow.engine.hint_move(p, HintSource::book, english_move(p, "12-16")));
    CHECK(shallow.think({TimeMode::exact, 3600, 0, 0}).last.hint == HintSource::book);
}

TEST_CASE("in analysis hinted moves are ignored, in each of its forms", "[engine][hints]") {
    ShallowEngine shallow;
    Engine& engine = shallow.engine;
    engine.set_hint_policy(HintPolicy::trust);
    const Position p = english_start();
    const Move move = english_move(p, "12-16");
    const auto plays_hint = [&](const TimeControl& control) {
        REQUIRE(engine.hint_move(p, HintSource::endgames, move));
        return shallow.think(control).move == move;
    };
    CHECK(plays_hint(no_time_limit));
    CHECK_FALSE(plays_hint({TimeMode::infinite, 8600000, 0, 0}));
    CHECK_FALSE(plays_hint({TimeMode::unlimited, 0, 0, 0, 0, true}));
    engine.set_all_scores(true);
    CHECK_FALSE(plays_hint(no_time_limit));
    engine.set_all_scores(false);
    engine.set_analysis(true);
    CHECK(engine.is_analysis());
    CHECK_FALSE(plays_hint(no_time_limit));
    engine.set_analysis(false);
    engine.set_hint_policy(HintPolicy::ignore);
    CHECK_FALSE(plays_hint(no_time_limit));
    engine.set_hint_policy(HintPolicy::trust);
    CHECK(plays_hint(no_time_limit));
}

TEST_CASE("a loss is not proven when hints left moves out", "[engine][hints]") {
    ShallowEngine shallow;
    EngineObserver quiet;
    const auto position = parse_fen(rules_of<English>, "W:WK23:BK32");
    REQUIRE(position);
    const Move losing = english_move(*position, "23-27");
    REQUIRE(shallow.engine.restrict_moves(*position, {losing}));
    const EngineResult result = shallow.engine.think(*position, no_time_limit, quiet);
    CHECK(result.move == losing);
    CHECK(is_proven_loss(result.last.score));
    CHECK(result.proven == Claim::none);
}

TEST_CASE("a restriction to a move that is not to choose from does not cut the search short",
          "[engine][hints]") {
    ShallowEngine shallow;
    shallow.engine.set_book(BookUse::none);
    const Position p = english_start();
    const std::vector<Move> choice = {english_move(p, "9-13"), english_move(p, "11-15")};
    EngineObserver quiet;
    const auto depth_with = [&](const char* restriction) {
        REQUIRE(shallow.engine.restrict_moves(p, {english_move(p, restriction)}));
        const EngineResult result =
            shallow.engine.think(p, {TimeMode::average, 10, 0, 0}, quiet, choice);
        CHECK(permits(choice, *result.move));
        return result.last.depth;
    };
    CHECK(depth_with("12-16") == 9);
    CHECK(depth_with("11-15") == 1);
}

TEST_CASE("a restriction holds that comes while the engine waits for the set time",
          "[engine][hints]") {
    Engine engine(core_of<English>, "");
    const auto position = parse_fen(rules_of<English>, "W:WK15,K18:BK1");
    REQUIRE(position);
    const Move wanted = english_move(*position, "18-22");
    class WaitingObserver : public EngineObserver {
    public:
        WaitingObserver(Engine& engine, const Position& p, const Move& wanted)
            : engine_(engine), position_(p), wanted_(wanted) {}
        /// Asked between searches, too. The move is wanted when the restriction has been seen, or
        /// will not be any more.
        bool interrupted() override {
            if (stopwatch_.seconds() > 0.3 && !is_given_)
                is_given_ = engine_.restrict_moves(position_, {wanted_});
            return is_seen_ || stopwatch_.seconds() > 30;
        }
        void show(const SearchInfo& info) override {
            is_seen_ = is_given_ && !info.line.empty() && info.line.front() == wanted_;
        }

    private:
        Engine& engine_;
        Position position_;
        Move wanted_;
        Stopwatch stopwatch_;
        bool is_given_ = false;
        bool is_seen_ = false;
    };
    WaitingObserver observer(engine, *position, wanted);
    const EngineResult result = engine.think(*position, {TimeMode::exact, 60, 0, 0}, observer);
    CHECK(result.move == wanted);
}
