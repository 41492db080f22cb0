#include <new>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/base/system.hpp>
#include <defiance/engine/advice.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>

#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

constexpr const char* start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

Position position_of(const char* fen) {
    const auto position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

Game game_at(const char* fen) {
    return Game(rules_of<English>, position_of(fen));
}

}  // namespace

TEST_CASE("an engine tells as proven only what is", "[engine]") {
    Engine engine(core_of<English>, "defiance_unit_test");
    EngineObserver quiet;
    const TimeControl short_time{TimeMode::average, 0.05, 0, 0};
    // For what is proven soon, however busy the machine is.
    const TimeControl long_time{TimeMode::average, 20, 0, 0};
    // White shuts in the last man of Black.
    CHECK(engine.think(position_of("W:W17,K18:B9,5"), short_time, quiet).proven != Claim::loss);
    CHECK(engine.think(position_of("B:W9,14:B5"), long_time, quiet).proven == Claim::loss);
    CHECK(engine.think(position_of(start), short_time, quiet).proven == Claim::none);
    CHECK(engine.think(position_of("W:W18,26:B15"), long_time, quiet).proven == Claim::win);
}

TEST_CASE("the engine keeps its table when a think ends with an exception", "[engine]") {
    class Throwing : public EngineObserver {
    public:
        bool interrupted() override { throw std::bad_alloc(); }
    };
    Engine engine(core_of<English>, "defiance_unit_test");
    const TimeControl no_limit{TimeMode::unlimited, 0, 0, 0};
    // The search ends by itself: White has lost in 12 plies.
    const Position p = position_of("W:W21,25:B10,12,K15");
    Throwing throwing;
    CHECK_THROWS_AS(engine.think(p, no_limit, throwing), std::bad_alloc);
    EngineObserver quiet;
    (void)engine.think(p, no_limit, quiet);
    const std::uint64_t nodes = engine.think(p, no_limit, quiet).last.nodes;
    Engine fresh(core_of<English>, "defiance_unit_test");
    CHECK(nodes < fresh.think(p, no_limit, quiet).last.nodes / 2);
}

TEST_CASE("search parameters change what is searched, and wrong ones do not", "[engine]") {
    const auto nodes_with = [](const char* value) {
        Engine engine(core_of<English>, "");
        engine.set_depth_limit(10);
        if (value != nullptr) CHECK_FALSE(engine.set_search_parameter("probcut_margin", value));
        CHECK(engine.set_search_parameter("probcut_margin", "301"));
        EngineObserver quiet;
        return engine.think(position_of(start), {TimeMode::unlimited, 0, 0, 0}, quiet).last.nodes;
    };
    CHECK(nodes_with("35") == nodes_with(nullptr));
    CHECK(nodes_with("200") != nodes_with(nullptr));
}

TEST_CASE("the size of the table is kept, and a size beyond all memory is refused", "[engine]") {
    Engine engine(core_of<English>, "defiance_unit_test_hash");
    REQUIRE(engine.set_hash_mebibytes(8));
    CHECK(engine.options().hash_mebibytes == 8);
    const auto refused = engine.set_hash_mebibytes(0);
    REQUIRE_FALSE(refused);
    CHECK(engine.options().hash_mebibytes == 8);
}

TEST_CASE("hints are short sentences about the position", "[engine]") {
    CHECK(advice_for(core_of<English>, game_at("B:W9,14:B5")) ==
          "Black has no move left and has lost the game.");
    CHECK(advice_for(core_of<English>, game_at("W:W18,32:B15,1")) == "White must jump: 18x11.");
    for (const char* fen : {start, "W:W21,22,25:B1,2,13", "W:WK10,K14,21,30:B13,K19,K23,28"}) {
        const std::string hint = advice_for(core_of<English>, game_at(fen));
        INFO(hint);
        CHECK(hint.size() < 250);
        CHECK(hint.back() == '.');
        CHECK(hint.find('"') == std::string::npos);
    }
}

TEST_CASE("hints judge by what databases know", "[engine]") {
    const auto endgames = core_of<English>.open_endgames({});
    // Without a verdict where a busy machine had no time for a search.
    const auto advice = [&](const char* fen, const EndgameDatabases* used) {
        std::string text;
        for (int i = 0; i < 20 && text.find(" It ") == std::string::npos &&
                        text.find(" You ") == std::string::npos &&
                        text.find(" The game ") == std::string::npos;
             ++i)
            text = advice_for(core_of<English>, game_at(fen), used);
        return text;
    };
    const auto mentions_verdict = [&](const char* fen, const char* verdict) {
        const std::string text = advice(fen, endgames.get());
        INFO(text);
        CHECK(text.size() < 250);
        CHECK(text.find(verdict) != std::string::npos);
        CHECK(text.find("even") == std::string::npos);
    };
    constexpr const char* distant_win = "B:W29,30:B2,15";
    CHECK(advice(distant_win, nullptr).find("It wins") == std::string::npos);
    mentions_verdict(distant_win, " It wins.");
    mentions_verdict("W:WK32,K31:BK1,K2", " It is a draw.");
    mentions_verdict("W:WK32:BK1,K2", " You are losing");
    // The engine asks its own.
    Engine engine(core_of<English>, "");
    engine.set_history(game_at(distant_win));
    std::string own;
    for (int i = 0; i < 20 && own.find(" It wins.") == std::string::npos; ++i)
        own = engine.advice();
    CHECK(own.find(" It wins.") != std::string::npos);
}

TEST_CASE("hints do not tell moves apart that come to the same", "[engine]") {
    const auto endgames = core_of<English>.open_endgames({});
    // All moves win.
    for (const char* fen : {"W:W30,31,K18:B2,K6", "B:W31,K32:BK1,K2,K10"}) {
        std::string text;
        for (int i = 0; i < 20 && text.find(" It wins.") == std::string::npos; ++i)
            text = advice_for(core_of<English>, game_at(fen), endgames.get());
        INFO(text);
        CHECK(text.ends_with(" It wins."));
    }
}

TEST_CASE("hints claim no win that the draw law takes", "[engine]") {
    const auto endgames = core_of<English>.open_endgames({});
    const auto advice = [&](const Game& game) {
        std::string text;
        for (int i = 0; i < 20 && text.find("You ") == std::string::npos &&
                        text.find(" It ") == std::string::npos;
             ++i)
            text = advice_for(core_of<English>, game, endgames.get());
        return text;
    };
    Game game = game_at("W:WK32,K31,K28:BK1,K5");
    CHECK(advice(game).find(" It wins") != std::string::npos);
    for (int shuttle = 0; shuttle < 18; ++shuttle)
        for (const char* text : {"32-27", "1-6", "27-32", "6-1"}) {
            const auto move = parse_move(rules_of<English>, game.position(), text);
            REQUIRE(move);
            game.play(*move);
        }
    const std::string late = advice(game);
    INFO(late);
    CHECK(late.find("wins") == std::string::npos);
    // The engine knows the game that it was told.
    Engine engine(core_of<English>, "");
    engine.set_history(game);
    CHECK(engine.advice().find("wins") == std::string::npos);
}

TEST_CASE("a loss is proven only when every legal move was looked at", "[engine]") {
    Engine engine(core_of<English>, "defiance_unit_test");
    EngineObserver quiet;
    const Position p = position_of("W:WK23:BK32");
    MoveList moves;
    generate_moves<English>(p, moves);
    std::vector<Move> losing;
    for (const Move& move : moves)
        if (can_capture<English>(after<English>(p, move))) losing.push_back(move);
    REQUIRE(losing.size() == 1);
    const EngineResult forced = engine.think(p, {TimeMode::deadline, 2, 0, 0}, quiet, losing);
    CHECK(forced.move == losing[0]);
    CHECK(is_proven_loss(forced.last.score));
    CHECK(forced.proven == Claim::none);
}

TEST_CASE("a forced move is played without thought on a clock", "[engine][time]") {
    Engine engine(core_of<English>, "defiance_unit_test");
    EngineObserver quiet;
    const Position p = position_of("W:W18,21,25,29,30,32:B15,1,2,3,4,5,6");
    REQUIRE(count_moves<English>(p) == 1);
    for (const TimeControl& control :
         {TimeControl{TimeMode::increment, 1, 60, 0.1}, TimeControl{TimeMode::average, 0.5, 0, 0}})
        CHECK(engine.think(p, control, quiet).last.depth == 1);
    // A user who asks for a set time wants the position to be looked at.
    CHECK(engine.think(p, {TimeMode::exact, 0.05, 0, 0}, quiet).last.depth > 1);
}

TEST_CASE("with all scores a proven win does not end the search for the other moves' scores",
          "[engine]") {
    constexpr int depth = 9;
    Engine engine(core_of<English>, "defiance_unit_test");
    engine.set_depth_limit(depth);
    EngineObserver quiet;
    const TimeControl no_limit{TimeMode::unlimited, 0, 0, 0};
    const Position p = position_of("W:W18,26:B15");
    const EngineResult alone = engine.think(p, no_limit, quiet);
    REQUIRE(is_proven_win(alone.last.score));
    CHECK(alone.last.depth < depth);
    engine.set_all_scores(true);
    const EngineResult all = engine.think(p, no_limit, quiet);
    engine.set_all_scores(false);
    CHECK(is_proven_win(all.last.score));
    CHECK(all.last.depth == depth);
}

TEST_CASE("a move that most nodes lie below is played sooner than another", "[engine][time]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    std::vector<RootMove> moves(2);
    bool may_go_deeper = false;
    script().on_observer = [&](SearchObserver& observer) {
        sleep_milliseconds(950);
        SearchReport report;
        report.moves = moves;
        may_go_deeper = observer.may_go_deeper(report);
    };
    EngineObserver quiet;
    for (const bool is_clear : {true, false}) {
        moves[0].nodes = is_clear ? 1000 : 300;
        moves[1].nodes = is_clear ? 0 : 700;
        static_cast<void>(
            engine.think(rules_of<English>.start_position(), {TimeMode::average, 2, 0, 0}, quiet));
        CHECK(may_go_deeper == !is_clear);
    }
}

TEST_CASE("moves that are wanted sooner leave no more time to the next", "[engine][time]") {
    class Key : public EngineObserver {
    public:
        bool interrupted() override { return is_pressed; }
        bool is_pressed = true;
    };
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    Key key;
    Position position = position_of("B:WK32,K31:BK1,K2");
    const auto play = [&] {
        const TimeControl control{.mode = TimeMode::average, .seconds = 0.5};
        const EngineResult result = engine.think(position, control, key);
        REQUIRE(result.move);
        position = rules_of<English>.after(position, *result.move);
        position = rules_of<English>.after(position, *quiet_move(position));
    };
    for (int i = 0; i < 3; ++i)
        play();
    key.is_pressed = false;
    bool may_go_deeper = false;
    script().on_observer = [&](SearchObserver& observer) {
        sleep_milliseconds(450);  // the last iteration begins before 0.4 s, with time saved later
        may_go_deeper = observer.may_go_deeper({});
    };
    play();
    CHECK_FALSE(may_go_deeper);
}
