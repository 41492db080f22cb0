#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/english.hpp>

#include "../base/memory_left.hpp"
#include "background_work.hpp"
#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

constexpr std::uint32_t size = 2;

/// True when the engine has given its table back, after ten seconds at most.
bool gives_table_back(const Engine& engine) {
    for (int i = 0; i < 2000; ++i) {
        if (engine.allocated_hash_mebibytes() == 0) return true;
        sleep_milliseconds(5);
    }
    return false;
}

}  // namespace

TEST_CASE("an idle engine gives its table back and takes it again", "[engine][threads]") {
    Engine engine(core_of<English>, "", 0.02);
    REQUIRE(engine.set_hash_mebibytes(size));
    EngineObserver quiet;
    CHECK(engine.allocated_hash_mebibytes() == 0);
    for (int i = 0; i < 3; ++i) {
        CHECK(engine.think(rules_of<English>.start_position(), {TimeMode::at_once, 0, 0, 0}, quiet)
                  .move);
        CHECK(gives_table_back(engine));
    }
}

TEST_CASE("an idle engine gives its table back while it keeps the databases", "[engine][threads]") {
    // The timer of the databases, ten times as long, is set when the table is freed first.
    Engine engine(core_of<English>, "", 1);
    REQUIRE(engine.set_hash_mebibytes(size));
    EngineObserver quiet;
    for (int i = 0; i < 2; ++i) {
        static_cast<void>(
            engine.think(rules_of<English>.start_position(), {TimeMode::at_once, 0, 0, 0}, quiet));
        CHECK(engine.allocated_hash_mebibytes() == size);
        const Stopwatch stopwatch;
        CHECK(gives_table_back(engine));
        CHECK(stopwatch.seconds() < 5);
    }
}

TEST_CASE("an engine that is not idle for long keeps its table", "[engine][threads]") {
    Engine engine(core_of<English>, "", 3600);
    REQUIRE(engine.set_hash_mebibytes(size));
    EngineObserver quiet;
    const Position start = rules_of<English>.start_position();
    static_cast<void>(engine.think(start, {TimeMode::at_once, 0, 0, 0}, quiet));
    sleep_milliseconds(50);
    CHECK(engine.allocated_hash_mebibytes() == size);
}

TEST_CASE("an engine keeps its table for longer after a long search", "[engine][threads]") {
    constexpr double search_seconds = 0.15;
    const ScriptReset reset;
    script().on_search = [] {
        const Stopwatch stopwatch;
        while (stopwatch.seconds() < search_seconds)
            sleep_milliseconds(5);
    };
    Engine engine(scripted_core(), "", 0.02);
    REQUIRE(engine.set_hash_mebibytes(size));
    EngineObserver quiet;
    // Begins before the search: a machine that is busy makes all that follows only later.
    const Stopwatch stopwatch;
    static_cast<void>(
        engine.think(rules_of<English>.start_position(), {TimeMode::at_once, 0, 0, 0}, quiet));
    const double longest_wait = 10 + 10 * stopwatch.seconds();
    while (engine.allocated_hash_mebibytes() != 0 && stopwatch.seconds() < longest_wait)
        sleep_milliseconds(5);
    CHECK(engine.allocated_hash_mebibytes() == 0);
    // The search and four times as long.
    CHECK(stopwatch.seconds() >= 5 * search_seconds);
}

TEST_CASE("a table is never given back during a search", "[engine][threads]") {
    class Watch : public EngineObserver {
    public:
        explicit Watch(const Engine& engine) : engine_(engine) {}
        bool interrupted() override {
            const std::uint32_t now = engine_.allocated_hash_mebibytes();
            // Without a table databases are still being opened.
            is_searching_ = is_searching_ || now > 0;
            if (is_searching_) min_ = std::min(min_, now);
            return false;
        }
        [[nodiscard]] std::uint32_t min_seen() const { return min_; }

    private:
        const Engine& engine_;
        bool is_searching_ = false;
        std::uint32_t min_ = size;
    };
    Engine engine(core_of<English>, "", 0.001);
    REQUIRE(engine.set_hash_mebibytes(size));
    // The timer of one search runs out during the next.
    for (int i = 0; i < 20; ++i) {
        Watch watch(engine);
        static_cast<void>(engine.think(rules_of<English>.start_position(),
                                       {TimeMode::deadline, 0.004, 0, 0}, watch));
        CHECK(watch.min_seen() == size);
    }
    CHECK(gives_table_back(engine));
}

// Without a claim of its own: whether anything is used after it was freed is for a sanitizer.
TEST_CASE("an engine may go before its table does", "[engine][threads]") {
    EngineObserver quiet;
    for (int i = 0; i < 20; ++i) {
        Engine engine(core_of<English>, "", 0.001 * (i % 3));
        CHECK(engine.think(rules_of<English>.start_position(), {TimeMode::at_once, 0, 0, 0}, quiet)
                  .move);
    }
}

TEST_CASE("nobody waits while a move frees the session that it has used", "[engine][threads]") {
    const ScriptReset reset;
    Door door;
    std::atomic<bool> is_being_freed = false;
    Engine engine(scripted_core(), "");
    script().on_search = [&] {
        engine.change_endgame_options([](EndgameOptions& options) { options.max_pieces = 3; });
    };
    script().on_search_freed = [&, wait = door.waiting()] {
        is_being_freed = true;
        wait();
    };
    std::thread move([&] {
        EngineObserver quiet;
        static_cast<void>(
            engine.think(rules_of<English>.start_position(), {.mode = TimeMode::at_once}, quiet));
    });
    CHECK(becomes_true(is_being_freed));
    auto asked = std::async(std::launch::async, [&] { return engine.options(); });
    CHECK(asked.wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    door.open();
    move.join();
}

TEST_CASE("a new size frees the idle table at once", "[engine]") {
    Engine engine(core_of<English>, "");
    REQUIRE(engine.set_hash_mebibytes(size));
    EngineObserver quiet;
    const Position start = rules_of<English>.start_position();
    static_cast<void>(engine.think(start, {TimeMode::at_once, 0, 0, 0}, quiet));
    REQUIRE(engine.allocated_hash_mebibytes() == size);
    REQUIRE(engine.set_hash_mebibytes(size));
    CHECK(engine.allocated_hash_mebibytes() == size);
    REQUIRE(engine.set_hash_mebibytes(2 * size));
    CHECK(engine.allocated_hash_mebibytes() == 0);
    static_cast<void>(engine.think(start, {TimeMode::at_once, 0, 0, 0}, quiet));
    CHECK(engine.allocated_hash_mebibytes() == 2 * size);
}

TEST_CASE("a size that is set during a search is that of the next one", "[engine]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    REQUIRE(engine.set_hash_mebibytes(size));
    EngineObserver quiet;
    const auto think = [&] {
        static_cast<void>(
            engine.think(rules_of<English>.start_position(), {TimeMode::at_once, 0, 0, 0}, quiet));
    };
    script().on_search = [&] {
        CHECK(engine.set_hash_mebibytes(size + 1));
        CHECK(engine.allocated_hash_mebibytes() == size);
    };
    think();
    script().on_search = nullptr;
    think();
    CHECK(engine.allocated_hash_mebibytes() == size + 1);
}

#ifdef DEFIANCE_CAN_LIMIT_MEMORY
TEST_CASE("a size that is set during a search counts the table in use as free",
          "[engine][native]") {
    constexpr std::uint32_t mebibytes = 128;
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    REQUIRE(engine.set_hash_mebibytes(mebibytes));
    EngineObserver quiet;
    script().on_search = [&] {
        const MemoryLeft left((mebibytes + mebibytes / 2) * std::uint64_t{1 << 20});
        CHECK(engine.set_hash_mebibytes(2 * mebibytes));
        CHECK_FALSE(engine.set_hash_mebibytes(4 * mebibytes));
    };
    static_cast<void>(
        engine.think(rules_of<English>.start_position(), {.mode = TimeMode::at_once}, quiet));
    CHECK(engine.options().hash_mebibytes == 2 * mebibytes);
}
#endif

TEST_CASE("a table larger than the width of the program can hold is refused as such", "[engine]") {
    STATIC_REQUIRE(max_hash_mebibytes_for(8) == max_hash_mebibytes);
    STATIC_REQUIRE(max_hash_mebibytes_for(4) == 1024);
    Engine engine(core_of<English>, "");
    const auto answer = engine.set_hash_mebibytes(max_hash_mebibytes);
    if (sizeof(void*) == 4) {
        REQUIRE_FALSE(answer);
        CHECK(answer.error().find("32-bit engine has room for") != std::string::npos);
        CHECK(engine.options().hash_mebibytes == 64);
    }
}

TEST_CASE("a table that leaves no memory for the search is halved", "[engine]") {
    const ScriptReset reset;
    script().max_table_mebibytes = 2;
    Engine engine(scripted_core(), "");
    REQUIRE(engine.set_hash_mebibytes(8));
    EngineObserver quiet;
    CHECK(
        engine.think(rules_of<English>.start_position(), {TimeMode::at_once, 0, 0, 0}, quiet).move);
    CHECK(engine.allocated_hash_mebibytes() == 2);
    CHECK(engine.options().hash_mebibytes == 8);
}
