#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/engine/engine.hpp>

#include "../base/temporary.hpp"
#include "background_work.hpp"
#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

TEST_CASE("an engine holds one set of databases at a time", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    const Position start = rules_of<English>.start_position();
    for (int i = 0; i < 5; ++i) {
        engine.change_endgame_options(
            [&](EndgameOptions& options) { options = with_folder("/folder" + std::to_string(i)); });
        CHECK(all_closed());  // the idle search has let go of them as well
        static_cast<void>(engine.think(start, no_time, quiet));
        CHECK(script().open_sets == 1);
    }
    CHECK(script().sets_opened == 5);
    CHECK(script().max_open_sets == 1);
}

TEST_CASE("databases whose options change during a search are replaced after it",
          "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    const Position start = rules_of<English>.start_position();
    script().on_search = [&] {
        engine.change_endgame_options(
            [](EndgameOptions& options) { options = with_folder("/other"); });
        CHECK(report_of(engine) == "opened anew with the next move");
    };
    static_cast<void>(engine.think(start, no_time, quiet));
    script().on_search = nullptr;
    CHECK(all_closed());
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
    CHECK(script().last_settings.folder.find("other") != std::string::npos);
    static_cast<void>(engine.think(start, no_time, quiet));
    CHECK(script().max_open_sets == 1);
    CHECK(script().sets_opened == 2);
}

TEST_CASE("databases are opened as the options ask for", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    const auto settings_with = [&](const EndgameOptions& wanted) {
        engine.change_endgame_options([&](EndgameOptions& options) { options = wanted; });
        static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
        return script().last_settings;
    };
    constexpr std::uint64_t mebibyte = 1 << 20;
    EndgameOptions options = {
        .folder = "/own", .distance_folder = "/plies", .mebibytes = 123, .max_pieces = 7};
    EndgameSettings settings = settings_with(options);
    // On Windows these are not full paths, so something comes before them.
    CHECK(settings.folder.ends_with(std::string("/own") + path_separator));
    CHECK(settings.distance_folder.ends_with(std::string("/plies") + path_separator));
    CHECK(settings.foreign_bytes == 123 * mebibyte);
    CHECK(settings.max_pieces == 7);

    options.use_distances = false;
    options.mebibytes = max_database_mebibytes;
    settings = settings_with(options);
    CHECK(settings.folder.ends_with(std::string("/own") + path_separator));
    CHECK(settings.distance_folder.empty());
    CHECK(settings.foreign_bytes == max_database_mebibytes * mebibyte);
}

TEST_CASE("the same options again change nothing", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
    engine.change_endgame_options([](EndgameOptions&) {});
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
    CHECK(script().sets_opened == 1);
}

TEST_CASE("databases are opened again with the same options when that is asked for",
          "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    const Position start = rules_of<English>.start_position();
    static_cast<void>(engine.think(start, no_time, quiet));
    engine.change_endgame_options([](EndgameOptions&) {}, {}, Reopen::always);
    CHECK(all_closed());
    static_cast<void>(engine.think(start, no_time, quiet));
    CHECK(script().sets_opened == 2);
    // Also when it is asked for while they are being opened: the files may have come meanwhile.
    engine.change_endgame_options([](EndgameOptions&) {}, {}, Reopen::always);
    script().on_open = [&] {
        script().on_open = nullptr;
        engine.change_endgame_options([](EndgameOptions&) {}, {}, Reopen::always);
    };
    static_cast<void>(engine.think(start, no_time, quiet));
    CHECK(script().sets_opened == 4);
    CHECK(script().open_sets == 1);
}

TEST_CASE("nobody who asks about databases waits until they are open", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    Door door;
    script().on_open = door.waiting();
    // With an answer that waited for the opening this would be "scripted".
    for (int i = 0; i < 3; ++i)
        CHECK(report_of(engine) == "being opened; ask again in a few seconds");
    // The thread that opens them may not have begun yet; it cannot go on before the door is open.
    for (int i = 0; i < 1000 && script().sets_opened == 0; ++i)
        sleep_milliseconds(10);
    CHECK(script().open_sets == 1);
    door.open();
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
    CHECK(script().sets_opened == 1);
}

TEST_CASE("an engine that is idle for very long closes its databases", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "", 0.01);
    EngineObserver quiet;
    for (int i = 1; i <= 3; ++i) {
        static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
        CHECK(script().sets_opened == i);
        REQUIRE(all_closed());
    }
    CHECK(engine.allocated_hash_mebibytes() == 0);
}

TEST_CASE("databases outlive the table of an idle engine", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "", 1);
    EngineObserver quiet;
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
    for (int waited = 0; waited < 2000 && engine.allocated_hash_mebibytes() > 0; ++waited)
        sleep_milliseconds(5);
    REQUIRE(engine.allocated_hash_mebibytes() == 0);
    CHECK(script().open_sets == 1);
    CHECK(report_of(engine) == "scripted");
}

TEST_CASE("an engine may go while its databases are being opened", "[engine][endgames]") {
    const ScriptReset reset;
    {
        Door door;
        script().on_open = door.waiting();
        Engine engine(scripted_core(), "");
        CHECK(report_of(engine).find("being opened") == 0);
        // The task may not have begun yet.
        for (int waited = 0; waited < 2000 && script().sets_opened == 0; ++waited)
            sleep_milliseconds(5);
        REQUIRE(script().sets_opened == 1);
    }
    CHECK(all_closed());
}

TEST_CASE("nobody who changes options waits for databases that close slowly",
          "[engine][endgames]") {
    const ScriptReset reset;
    Door door;
    std::atomic<bool> is_closed = false;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
    script().on_close = [&, wait = door.waiting()] {
        wait();
        is_closed = true;
    };
    engine.change_endgame_options([](EndgameOptions& options) { options = with_folder("/other"); });
    CHECK_FALSE(is_closed);
    // The new ones wait, because two sets could exceed the memory option.
    CHECK(report_of(engine) == "being opened; ask again in a few seconds");
    CHECK(script().sets_opened == 1);
    door.open();
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
    CHECK(is_closed);
    CHECK(script().max_open_sets == 1);
}

TEST_CASE("a move does not wait for the databases that it was searched with to close",
          "[engine][endgames]") {
    const ScriptReset reset;
    Door door;
    std::atomic<bool> is_closed = false;
    Engine engine(scripted_core(), "");
    script().on_search = [&] {
        engine.change_endgame_options(
            [](EndgameOptions& options) { options = with_folder("/other"); });
    };
    script().on_close = [&, wait = door.waiting()] {
        wait();
        is_closed = true;
    };
    EngineObserver quiet;
    CHECK(engine.think(rules_of<English>.start_position(), no_time, quiet).move);
    CHECK_FALSE(is_closed);
    door.open();
    CHECK(all_closed());
}

TEST_CASE("an engine may go while its databases are being closed", "[engine][endgames]") {
    const ScriptReset reset;
    {
        Engine engine(scripted_core(), "");
        EngineObserver quiet;
        static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
        script().on_close = [] { sleep_milliseconds(50); };
        // One set is being closed when the engine goes, with another one open.
        engine.change_endgame_options([](EndgameOptions&) {}, {}, Reopen::always);
        static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
        engine.change_endgame_options([](EndgameOptions&) {}, {}, Reopen::always);
    }
    CHECK(script().sets_opened == 2);
    CHECK(all_closed());
}

TEST_CASE("databases that cannot be opened are told and tried again", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    script().on_open = [] { throw std::bad_alloc(); };
    CHECK(asked_patiently([&] { return report_of(engine); }) == "cannot be opened: out of memory");
    script().on_open = nullptr;
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
}

TEST_CASE("a search goes on without databases that there is no memory for", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    script().on_open = [] { throw std::bad_alloc(); };
    EngineObserver quiet;
    for (int i = 0; i < 2; ++i) {
        CHECK(engine.think(rules_of<English>.start_position(), no_time, quiet).move);
        CHECK_FALSE(script().search_has_endgames);
    }
    script().on_open = nullptr;
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, quiet));
    CHECK(script().search_has_endgames);
}

TEST_CASE("databases that only a report has opened are closed again", "[engine][endgames]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "", 0.01);
    CHECK(asked_patiently([&] { return report_of(engine); }) == "scripted");
    CHECK(all_closed());
}

TEST_CASE("databases that are open after an interrupted move are closed again",
          "[engine][endgames]") {
    const ScriptReset reset;
    Door door;
    script().on_open = door.waiting();
    Engine engine(scripted_core(), "", 0.1);
    struct Impatient : EngineObserver {
        bool interrupted() override { return true; }
    } impatient;
    static_cast<void>(engine.think(rules_of<English>.start_position(), no_time, impatient));
    CHECK_FALSE(script().search_has_endgames);
    door.open();
    for (int i = 0; i < 2000 && (script().sets_opened == 0 || script().open_sets > 0); ++i)
        sleep_milliseconds(5);
    CHECK(script().sets_opened == 1);
    CHECK(script().open_sets == 0);
}

TEST_CASE("databases are opened while the book answers", "[engine][endgames][book]") {
    const ScriptReset reset;
    const Position start = rules_of<English>.start_position();
    const Result<std::string> book =
        make_book(rules_of<English>, {{start, {{*quiet_move(start), 0, 20, 200}}}}, "");
    REQUIRE(book);
    const TemporaryFile file(*book);
    Engine engine(scripted_core(), "");
    REQUIRE(engine.set_book_file(file.path()));
    EngineObserver quiet;
    CHECK(engine.think(start, {TimeMode::average, 5, 0, 0}, quiet).last.is_book_move);
    for (int i = 0; i < 2000 && script().sets_opened == 0; ++i)
        sleep_milliseconds(5);
    CHECK(script().sets_opened == 1);
}
