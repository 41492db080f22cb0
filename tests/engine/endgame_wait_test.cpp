// Moves that wait for endgame databases which are being opened.

#include <catch2/catch.hpp>

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <defiance/engine/engine.hpp>

#include "background_work.hpp"
#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

TEST_CASE("a clock does not run out while databases are opened", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    Door door;
    script().on_open = door.waiting();
    EngineObserver quiet;
    const Position start = rules_of<English>.start_position();
    const Stopwatch stopwatch;
    CHECK(engine.think(start, {TimeMode::increment, 0, 2, 0}, quiet).move);
    const double seconds = stopwatch.seconds();
    CHECK(seconds >= 0.3);
    CHECK(seconds < 2);
    CHECK_FALSE(script().search_has_endgames);
    door.open();
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
    CHECK(engine.think(start, no_time, quiet).move);
    CHECK(script().search_has_endgames);
}

TEST_CASE("a move that is wanted at once does not wait for databases", "[engine][endgames]") {
    class Impatient : public EngineObserver {
    public:
        bool interrupted() override { return true; }
    };
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    std::atomic<bool> is_opened = false;
    Door door;
    script().on_open = [&, wait = door.waiting()] {
        wait();
        is_opened = true;
    };
    Impatient impatient;
    const Position start = rules_of<English>.start_position();
    const TimeControl long_time{TimeMode::average, 100, 0, 0};
    for (int i = 0; i < 2; ++i) {
        CHECK(engine.think(start, long_time, impatient).move);
        CHECK_FALSE(is_opened);
        CHECK_FALSE(script().search_has_endgames);
    }
    door.open();
    EngineObserver quiet;
    CHECK(engine.think(start, no_time, quiet).move);
    CHECK(is_opened);
    CHECK(script().search_has_endgames);
    CHECK(script().sets_opened == 1);
}

TEST_CASE("a move can be interrupted while databases are opened again with other options",
          "[engine][endgames]") {
    class InterruptedAtSecondOpening : public EngineObserver {
    public:
        explicit InterruptedAtSecondOpening(const std::atomic<int>& openings)
            : openings_(openings) {}
        bool interrupted() override { return openings_ >= 2; }

    private:
        const std::atomic<int>& openings_;
    };
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    std::atomic<int> openings = 0;
    Door second;
    script().on_open = [&, wait = second.waiting()] {
        if (++openings == 1)
            engine.change_endgame_options(
                [](EndgameOptions& options) { options = with_folder("/other"); });
        if (openings >= 2) wait();
    };
    InterruptedAtSecondOpening observer(openings);
    const TimeControl long_time{TimeMode::average, 100, 0, 0};
    CHECK(engine.think(rules_of<English>.start_position(), long_time, observer).move);
    // With a move that waited for the second opening there would be databases.
    CHECK(openings == 2);
    CHECK_FALSE(script().search_has_endgames);
    CHECK(report_of(engine) == "being opened; ask again in a few seconds");
    second.open();
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
    script().on_open = nullptr;
}

TEST_CASE("a search that waited for databases may still go deeper", "[engine][endgames][time]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    script().on_open = [] { sleep_milliseconds(1500); };
    // The search begins after the time at which no iteration would begin, and would have 0.58 s.
    constexpr double seconds = 1.8;
    bool may_go_deeper = false;
    script().on_observer = [&](SearchObserver& observer) {
        may_go_deeper = observer.may_go_deeper({});
    };
    EngineObserver quiet;
    static_cast<void>(engine.think(rules_of<English>.start_position(),
                                   {TimeMode::average, seconds, 0, 0}, quiet));
    CHECK(may_go_deeper);
}

TEST_CASE("who waits for databases is told so once the wait can be felt", "[engine][endgames]") {
    class Listener : public EngineObserver {
    public:
        void show_wait(std::string_view what) override { told.emplace_back(what); }
        std::vector<std::string> told;
    };
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    script().on_open = [] { sleep_milliseconds(500); };
    Listener listener;
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, listener));
    CHECK(listener.told == std::vector<std::string>{"opening endgame databases"});
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, listener));
    CHECK(listener.told.size() == 1);
}

TEST_CASE("what was waited for in vain does not shorten the wait for other databases",
          "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    const Position start = rules_of<English>.start_position();
    Door door;
    script().on_open = door.waiting();
    static_cast<void>(engine.think(start, {TimeMode::increment, 0, 2, 0}, quiet));
    CHECK_FALSE(script().search_has_endgames);
    door.open();
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
    // Longer than a move waits for the same databases after one that has done so in vain.
    script().on_open = [] { sleep_milliseconds(300); };
    engine.change_endgame_options([](EndgameOptions& options) { options = with_folder("/other"); });
    static_cast<void>(engine.think(start, {TimeMode::average, 2, 0, 0}, quiet));
    CHECK(script().search_has_endgames);
}
